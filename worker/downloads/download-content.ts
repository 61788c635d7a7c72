import { attachmentDisposition } from "#domain/content-disposition.ts";
import { AppError } from "#domain/errors.ts";
import { servedMimeType } from "#domain/mime.ts";
import { previewOf, TEXT_PREVIEW_BYTES } from "#domain/preview.ts";
import type { RequestContext } from "../context.ts";
import { countDownload, type FileRow } from "../db/files.ts";
import { getAvailableFile } from "./download-info.ts";
import { serveStoredBytes, type Representation } from "./stored-bytes.ts";

/**
 * Counts a download once the last byte has been sent.
 * @throws AppError FILE_NOT_FOUND, FILE_EXPIRED, UPLOAD_UNFINISHED, RATE_LIMITED
 */
export async function serveContent(context: RequestContext, downloadId: string, now: number): Promise<Response> {
  const { db } = context.services;
  const file = await getAvailableFile(context, downloadId, now);
  const contentType = servedMimeType(file.mimeType);
  const representation = representationOf(file, { contentType, sizeBytes: file.size });
  return serveStoredBytes(context, representation, () => countDownload(db, file.id, Date.now()));
}

/**
 * Uses a content type that cannot run scripts (decision 017). Does not count a download.
 * @throws AppError NO_PREVIEW, and the errors of `serveContent`
 */
export async function servePreview(context: RequestContext, downloadId: string, now: number): Promise<Response> {
  const file = await getAvailableFile(context, downloadId, now);
  const preview = previewOf(servedMimeType(file.mimeType));
  if (!preview) throw new AppError("NO_PREVIEW");
  const sizeBytes = preview.kind === "text" ? Math.min(file.size, TEXT_PREVIEW_BYTES) : file.size;
  const response = await serveStoredBytes(context, representationOf(file, { ...preview, sizeBytes }));
  response.headers.set("cross-origin-resource-policy", "same-origin");
  return response;
}

/** @throws AppError UPLOAD_UNFINISHED */
function representationOf(file: FileRow, served: { contentType: string; sizeBytes: number }): Representation {
  if (file.status !== "ready" || file.etag === null || !file.uploadedAt) throw new AppError("UPLOAD_UNFINISHED");
  return {
    key: file.s3Key,
    sizeBytes: served.sizeBytes,
    etag: `"${file.etag}"`,
    modifiedAt: file.uploadedAt.getTime(),
    headers: { "content-type": served.contentType, "content-disposition": attachmentDisposition(file.filename) },
  };
}
