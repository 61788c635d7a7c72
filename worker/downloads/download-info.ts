import { safeFilename, archiveName } from "#domain/file-names.ts";
import { servedMimeType } from "#domain/mime.ts";
import { inOrder, riskByName, type RiskyKind } from "#domain/moderation/risky-kinds.ts";
import type { DownloadInfo, ListedEntries, PictureInfo, SeenScan, TransferInfo } from "#domain/wire.ts";
import { sessionOf, transferSessionOf } from "../callers/sessions.ts";
import type { RequestContext } from "../context.ts";
import { isWithoutLink, type FileRow } from "../db/files.ts";
import { findShowsPictures } from "../db/pictures.ts";
import { isTrusted } from "../db/users.ts";
import { seenProtection, sealStateOf } from "../links/describe-link.ts";
import { isGuarded, openLink } from "../links/open-link.ts";
import type { Services } from "../services.ts";
import { archiveUrl, contentPath, contentUrl, pictureUrl, toIso } from "../urls.ts";
import type { CardPicture } from "../page-types.ts";
import { listFirstEntries } from "./entries.ts";
import { canBeFollowed } from "./follow-upload.ts";

export interface DownloadPage {
  info: DownloadInfo;
  /** The first entries of a transfer; null for a single file. */
  list: ListedEntries | null;
  /** Absent for a link whose previews show no picture. */
  cardPicture?: CardPicture;
}

/** @throws AppError RATE_LIMITED, and the errors of `openLink` */
export async function getDownloadPage(context: RequestContext, downloadId: string, now: number): Promise<DownloadPage> {
  const file = await getDescribedFile(context, downloadId, now);
  const [info, list, cardPicture] = await Promise.all([
    describeDownload(context.services, file),
    file.entryCount === null ? null : listFirstEntries(context.services, file),
    findCardPicture(context.services, file),
  ]);
  return { info, list, ...(cardPicture && { cardPicture }) };
}

/** The picture that previews of a link show: never that of a protected, limited or encrypted link. */
async function findCardPicture({ db, settings }: Services, file: FileRow): Promise<CardPicture | null> {
  const [first] = file.firstPictures ?? [];
  if (!first || isGuarded(file) || isWithoutLink(file)) return null;
  const isShown = file.showsPicture ?? (file.userId === null || (await findShowsPictures(db, file.userId)));
  if (!isShown) return null;
  const [n, width, height, viewWidth, viewHeight] = first;
  const hasView = viewWidth !== undefined && viewHeight !== undefined;
  return {
    url: pictureUrl(settings, file.downloadId, file.entryCount === null ? null : n, hasView ? "view" : "tile"),
    ...(hasView ? { width: viewWidth, height: viewHeight } : { width, height }),
  };
}

/** @throws AppError RATE_LIMITED, and the errors of `openLink` */
export async function getDownloadInfo(context: RequestContext, downloadId: string, now: number): Promise<DownloadInfo> {
  return describeDownload(context.services, await getDescribedFile(context, downloadId, now));
}

/** The row for `describeDownload`. @throws as `getDownloadInfo` */
async function getDescribedFile(context: RequestContext, downloadId: string, now: number): Promise<FileRow> {
  await context.enforceRateLimit("downloadInfo");
  const { file } = await openLink(context, downloadId, "see", now);
  return file;
}

export async function describeDownload(services: Services, file: FileRow): Promise<DownloadInfo> {
  const { entryCount } = file;
  const info =
    entryCount === null
      ? await describeFile(services, file)
      : await describeTransfer(services, { ...file, entryCount });
  const scan = seenScan(services, file);
  const risk = await seenRisk(services, file);
  const guards = seenProtection(file);
  return {
    ...info,
    ...(scan && { scan }),
    ...(risk.length > 0 && { risk }),
    ...(guards && { guards, ...sealStateOf(file) }),
  };
}

/** The risky kinds of which a recipient is warned: those of a sender with a new or free account, or without any. */
async function seenRisk({ db }: Services, file: FileRow): Promise<RiskyKind[]> {
  if (file.seal !== null) return [];
  const byName = file.entryCount === null ? [riskByName(file.filename), riskByName(file.originalFilename)] : [];
  const kinds = inOrder([...(file.risk ?? []), ...byName]);
  if (kinds.length === 0 || file.userId === null || file.fileRequestId !== null) return kinds;
  return (await isTrusted(db, file.userId, Date.now())) ? [] : kinds;
}

/** @returns null where links are not scanned, for an unfinished upload, and for a link that was never to be scanned */
function seenScan(
  { settings }: Services,
  { seal, status, scanState, scannedAt, scanFinding }: FileRow,
): SeenScan | null {
  if (settings.scan === null || status !== "ready") return null;
  if (seal !== null) return { state: "sealed" };
  const at = scannedAt?.toISOString() ?? "";
  if (scanState === null || scanState === "pending") return scanState && { state: scanState };
  return scanState === "infected" ? { state: scanState, at, finding: scanFinding ?? "" } : { state: scanState, at };
}

async function describeFile(services: Services, file: FileRow): Promise<DownloadInfo> {
  const { downloadId } = file;
  const metadata = { filename: safeFilename(file.filename), size: file.size, mimeType: servedMimeType(file.mimeType) };
  if (file.status === "uploading") {
    const [status, picture] = await Promise.all([sessionOf(services, file).status(), pictureOf(services, file)]);
    const followUrl = followUrlOf(services, file);
    return {
      ...metadata,
      ...picture,
      status: "uploading",
      progress: status?.progress ?? 0,
      downloadUrl: null,
      ...(followUrl !== null && { followUrl }),
    };
  }
  return {
    ...metadata,
    ...(await pictureOf(services, file)),
    status: "ready",
    downloadUrl: contentUrl(services.settings, downloadId),
    expiresAt: toIso(file.expiresAt?.getTime() ?? null),
    ...(file.sha256 === null || file.seal !== null
      ? {}
      : { sha256: file.sha256, sha256Source: file.sha256Source ?? "server" }),
  };
}

/** The field `picture` of the answer; an empty object for a single file without a picture. */
async function pictureOf(services: Services, file: FileRow): Promise<Pick<DownloadInfo, "picture">> {
  if (file.pictureObjects === 0) return {};
  const picture: PictureInfo | null = await sessionOf(services, file).describePicture(0);
  return picture ? { picture } : {};
}

/** The field `pictures` of the answer; an empty object for a transfer without pictures. */
function picturesIn(count: number): Pick<TransferInfo, "pictures"> {
  return count > 0 ? { pictures: count } : {};
}

/** @returns null for a file that cannot be read while it uploads, also because it is scanned before */
export function followUrlOf({ settings }: Services, file: FileRow): string | null {
  const isScannedBefore = settings.scan?.mode === "before" && file.seal === null;
  return canBeFollowed(file) && !isScannedBefore ? `${contentPath(file.downloadId)}?follow=1` : null;
}

async function describeTransfer(services: Services, file: FileRow & { entryCount: number }): Promise<DownloadInfo> {
  const { filename, size: bytes, entryCount: entries, message, downloadId } = file;
  const metadata = { filename: archiveName(filename), mimeType: servedMimeType(file.mimeType) };
  const transfer = { title: safeFilename(filename), entries, bytes, message };
  if (file.status === "uploading") {
    const status = await transferSessionOf(services, file).status();
    return {
      ...metadata,
      size: bytes,
      status: "uploading",
      progress: status?.progress ?? 0,
      downloadUrl: null,
      transfer: { ...transfer, ...picturesIn(status?.pictures ?? 0), stored: status?.stored ?? [] },
    };
  }
  const count = file.pictureObjects === 0 ? 0 : await transferSessionOf(services, file).countPictures();
  return {
    ...metadata,
    // Only a browser with the link's key can make the ZIP of an encrypted transfer, so its size and URL are unknown.
    size: file.seal === null ? (file.zipSize ?? bytes) : bytes,
    status: "ready",
    downloadUrl: file.seal === null ? archiveUrl(services.settings, downloadId, file.etag ?? "") : null,
    expiresAt: toIso(file.expiresAt?.getTime() ?? null),
    transfer: { ...transfer, ...picturesIn(count) },
  };
}
