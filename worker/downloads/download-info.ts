import { AppError } from "#domain/errors.ts";
import { isExpired } from "#domain/expiry.ts";
import { servedMimeType } from "#domain/mime.ts";
import { safeFilename } from "#domain/safe-filename.ts";
import { downloadId as downloadIdSchema, type DownloadInfo } from "#domain/wire.ts";
import type { RequestContext } from "../context.ts";
import type { Services } from "../services.ts";
import { findCurrentFile, findFileByDownloadId, type FileRow } from "../db/files.ts";
import { contentUrl, toIso } from "../links.ts";
import { localizedError } from "../errors/translate-error.ts";
import { sessionOf } from "../uploads/sessions.ts";

/**
 * What a link leads to: a file, or one that is still on its way. A replica may answer, so for seconds it may name a file
 * whose link has ended.
 * @param now epoch milliseconds; expiry is decided here, by the clock, whether or not the sweep has run
 * @throws AppError FILE_NOT_FOUND, FILE_EXPIRED, RATE_LIMITED
 */
export async function getDownloadInfo(context: RequestContext, downloadId: string, now: number): Promise<DownloadInfo> {
  const { services } = context;
  // Side by side: whoever is within the limit waits for one of them alone.
  const [, found] = await Promise.all([context.enforceRateLimit("downloadInfo"), findFile(services, downloadId)]);
  const file = await requireLiving(context, found, now);
  const known = { filename: safeFilename(file.filename), size: file.size, mimeType: servedMimeType(file.mimeType) };
  if (file.status === "uploading") {
    const status = await sessionOf(services, file.id).status();
    return { ...known, status: "uploading", progress: status?.progress ?? 0, downloadUrl: null };
  }
  return {
    ...known,
    status: "ready",
    downloadUrl: contentUrl(services.settings, downloadId),
    expiresAt: toIso(file.expiresAt?.getTime() ?? null),
    ...(file.sha256 === null ? {} : { sha256: file.sha256, sha256Source: file.sha256Source ?? "server" }),
  };
}

/**
 * The file behind a link, finished or still uploading, for whoever serves its bytes: no replica may say that a link lives
 * which its owner has just ended.
 * @throws AppError FILE_NOT_FOUND for an unknown, failed or cancelled one, RATE_LIMITED for too many of those, FILE_EXPIRED
 * for one past its time or removed
 */
export async function getLivingFile(context: RequestContext, downloadId: string, now: number): Promise<FileRow> {
  return requireLiving(context, await findFile(context.services, downloadId, findCurrentFile), now);
}

/**
 * What a link belongs to, whatever has become of its upload.
 * @throws AppError FILE_NOT_FOUND for an unknown one, RATE_LIMITED for too many of those, FILE_EXPIRED for a file past its
 * time or removed
 */
export async function getSharedFile(context: RequestContext, downloadId: string, now: number): Promise<FileRow> {
  const file = await findFile(context.services, downloadId);
  return file ? requireUnexpired(file, now) : refuseUnknown(context);
}

async function findFile(
  { db }: Services,
  downloadId: string,
  find: typeof findFileByDownloadId = findFileByDownloadId,
): Promise<FileRow | null> {
  return downloadIdSchema.safeParse(downloadId).success ? await find(db, downloadId) : null;
}

async function requireLiving(context: RequestContext, file: FileRow | null, now: number): Promise<FileRow> {
  if (!file || file.status === "failed" || file.status === "cancelled") return refuseUnknown(context);
  return requireUnexpired(file, now);
}

async function refuseUnknown(context: RequestContext): Promise<never> {
  await context.enforceRateLimit("unknownDownload");
  throw new AppError("FILE_NOT_FOUND");
}

function requireUnexpired(file: FileRow, now: number): FileRow {
  if (file.deletedAt || file.adminDeleted) {
    throw localizedError("FILE_EXPIRED", "fileRemoved", {});
  }
  if (isExpired(file.expiresAt?.getTime() ?? null, now)) throw new AppError("FILE_EXPIRED");
  return file;
}
