import { attachmentDisposition } from "#domain/content-disposition.ts";
import { AppError } from "#domain/errors.ts";
import { servedMimeType } from "#domain/mime.ts";
import type { ArchiveQuery } from "#domain/wire.ts";
import type { RequestContext } from "../context.ts";
import { countDownload, type FileRow } from "../db/files.ts";
import { serveArchive } from "./archive.ts";
import { getAvailableFile } from "./download-info.ts";
import { createDownloadResponse, type Representation } from "./download-response.ts";
import { createPreviewResponse, requirePreview } from "./preview.ts";
import { sendObject } from "./stored-bytes.ts";

/**
 * A file, or a transfer's ZIP. Counts a download once the last byte has been sent.
 * @param query only a transfer's
 * @throws AppError FILE_NOT_FOUND, FILE_EXPIRED, UPLOAD_UNFINISHED, RATE_LIMITED, BAD_REQUEST
 */
export async function serveContent(
  context: RequestContext,
  downloadId: string,
  now: number,
  query: ArchiveQuery = {},
): Promise<Response> {
  const { db } = context.services;
  const file = await getAvailableFile(context, downloadId, now);
  if (file.entryCount !== null) return serveArchive(context, file, query, now);
  const contentType = servedMimeType(file.mimeType);
  const representation = representationOf(context, file, { contentType, sizeBytes: file.size });
  return createDownloadResponse(context, representation, () => countDownload(db, file.id, Date.now()));
}

/** @throws AppError NO_PREVIEW, and the errors of `serveContent` */
export async function servePreview(context: RequestContext, downloadId: string, now: number): Promise<Response> {
  const file = await getAvailableFile(context, downloadId, now);
  const preview = requirePreview(servedMimeType(file.mimeType), file.size);
  return createPreviewResponse(context, representationOf(context, file, preview));
}

/** @throws AppError UPLOAD_UNFINISHED */
function representationOf(
  { services }: RequestContext,
  file: FileRow,
  served: { contentType: string; sizeBytes: number },
): Representation {
  if (file.status !== "ready" || file.etag === null || !file.uploadedAt) throw new AppError("UPLOAD_UNFINISHED");
  return {
    key: file.s3Key,
    sizeBytes: served.sizeBytes,
    etag: `"${file.etag}"`,
    modifiedAt: file.uploadedAt.getTime(),
    headers: { "content-type": served.contentType, "content-disposition": attachmentDisposition(file.filename) },
    open: (range) => sendObject(services.bucket, file.s3Key, range),
  };
}
