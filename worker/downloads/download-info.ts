import { AppError } from "#domain/errors.ts";
import { isExpired } from "#domain/expiry.ts";
import { servedMimeType } from "#domain/mime.ts";
import { safeFilename } from "#domain/safe-filename.ts";
import { archiveName } from "#domain/transfers/archive-name.ts";
import { downloadId as downloadIdSchema, type DownloadInfo } from "#domain/wire.ts";
import type { RequestContext } from "../context.ts";
import type { Services } from "../services.ts";
import { findCurrentFile, findFileByDownloadId, type FileRow } from "../db/files.ts";
import { archiveUrl, contentUrl, toIso } from "../links.ts";
import { expiredError, removedError } from "../errors/link-errors.ts";
import { sessionOf, transferSessionOf } from "../uploads/sessions.ts";

/** May read from a replica, which can be seconds behind. @throws AppError FILE_NOT_FOUND, FILE_EXPIRED, RATE_LIMITED */
export async function getDownloadInfo(context: RequestContext, downloadId: string, now: number): Promise<DownloadInfo> {
  return describeDownload(context.services, await getDescribedFile(context, downloadId, now));
}

/** The row for `describeDownload`; `getAvailableFile` is for one whose bytes are served. @throws as `getDownloadInfo` */
export async function getDescribedFile(context: RequestContext, downloadId: string, now: number): Promise<FileRow> {
  const [, row] = await Promise.all([context.enforceRateLimit("downloadInfo"), findFile(context.services, downloadId)]);
  return requireAvailable(context, row, now);
}

export async function describeDownload(services: Services, file: FileRow): Promise<DownloadInfo> {
  const { downloadId } = file;
  if (file.entryCount !== null) return describeTransfer(services, { ...file, entryCount: file.entryCount });
  const metadata = { filename: safeFilename(file.filename), size: file.size, mimeType: servedMimeType(file.mimeType) };
  if (file.status === "uploading") {
    const status = await sessionOf(services, file).status();
    return { ...metadata, status: "uploading", progress: status?.progress ?? 0, downloadUrl: null };
  }
  return {
    ...metadata,
    status: "ready",
    downloadUrl: contentUrl(services.settings, downloadId),
    expiresAt: toIso(file.expiresAt?.getTime() ?? null),
    ...(file.sha256 === null ? {} : { sha256: file.sha256, sha256Source: file.sha256Source ?? "server" }),
  };
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
      transfer: { ...transfer, stored: status?.stored ?? [] },
    };
  }
  return {
    ...metadata,
    size: file.zipSize ?? bytes,
    status: "ready",
    downloadUrl: archiveUrl(services.settings, downloadId, file.etag ?? ""),
    expiresAt: toIso(file.expiresAt?.getTime() ?? null),
    transfer,
  };
}

/**
 * Reads from the primary: a file must not be served after its owner has ended the link.
 * @throws AppError FILE_EXPIRED, FILE_NOT_FOUND also for a failed or cancelled upload, RATE_LIMITED after too many
 */
export async function getAvailableFile(context: RequestContext, downloadId: string, now: number): Promise<FileRow> {
  return requireAvailable(context, await findFile(context.services, downloadId, findCurrentFile), now);
}

/** Also returns failed and cancelled uploads. @throws AppError FILE_NOT_FOUND, RATE_LIMITED, FILE_EXPIRED */
export async function getSharedFile(context: RequestContext, downloadId: string, now: number): Promise<FileRow> {
  const file = await findFile(context.services, downloadId);
  return file ? requireUnexpired(file, now) : rejectUnknownLink(context);
}

async function findFile(
  { db }: Services,
  downloadId: string,
  find: typeof findFileByDownloadId = findFileByDownloadId,
): Promise<FileRow | null> {
  return downloadIdSchema.safeParse(downloadId).success ? await find(db, downloadId) : null;
}

/** @throws AppError FILE_EXPIRED, FILE_NOT_FOUND, RATE_LIMITED */
export async function requireAvailable(context: RequestContext, file: FileRow | null, now: number): Promise<FileRow> {
  if (!file || file.status === "failed" || file.status === "cancelled") return rejectUnknownLink(context);
  return requireUnexpired(file, now);
}

async function rejectUnknownLink(context: RequestContext): Promise<never> {
  await context.enforceRateLimit("unknownDownload");
  throw new AppError("FILE_NOT_FOUND");
}

function requireUnexpired(file: FileRow, now: number): FileRow {
  if (file.deletedAt || file.adminDeleted) throw removedError(file);
  if (isExpired(file.expiresAt?.getTime() ?? null, now)) throw expiredError(file);
  return file;
}
