import { attachmentDisposition } from "#domain/content-disposition.ts";
import { AppError } from "#domain/errors.ts";
import { servedMimeType } from "#domain/mime.ts";
import { previewOf, TEXT_PREVIEW_BYTES } from "#domain/preview.ts";
import type { RequestContext } from "../context.ts";
import { countDownload, type FileRow } from "../db/files.ts";
import { getLivingFile } from "./download-info.ts";
import { sendStored, type Representation } from "./stored-bytes.ts";

/**
 * A file's bytes, as an attachment. Counted once the file's last byte has been taken.
 * @param now epoch milliseconds
 * @throws AppError FILE_NOT_FOUND, FILE_EXPIRED, UPLOAD_UNFINISHED, RATE_LIMITED
 */
export async function serveContent(context: RequestContext, downloadId: string, now: number): Promise<Response> {
  const { db } = context.services;
  const file = await getLivingFile(context, downloadId, now);
  const whole = representationOf(file, { contentType: servedMimeType(file.mimeType), sizeBytes: file.size });
  return sendStored(context, whole, () => countDownload(db, file.id, Date.now()));
}

/**
 * A file's bytes for its own download page, as a type that can do nothing here; of a text, its beginning. Never counted.
 * @param now epoch milliseconds
 * @throws AppError as `serveContent`, and NO_PREVIEW
 */
export async function servePreview(context: RequestContext, downloadId: string, now: number): Promise<Response> {
  const file = await getLivingFile(context, downloadId, now);
  const preview = previewOf(servedMimeType(file.mimeType));
  if (!preview) throw new AppError("NO_PREVIEW");
  const sizeBytes = preview.kind === "text" ? Math.min(file.size, TEXT_PREVIEW_BYTES) : file.size;
  const response = await sendStored(context, representationOf(file, { ...preview, sizeBytes }));
  // No other site shows it as its own.
  response.headers.set("cross-origin-resource-policy", "same-origin");
  return response;
}

/** @throws AppError UPLOAD_UNFINISHED */
function representationOf(file: FileRow, as: { contentType: string; sizeBytes: number }): Representation {
  if (file.status !== "ready" || file.etag === null || !file.uploadedAt) throw new AppError("UPLOAD_UNFINISHED");
  return {
    key: file.s3Key,
    sizeBytes: as.sizeBytes,
    etag: `"${file.etag}"`,
    modifiedAt: file.uploadedAt.getTime(),
    headers: { "content-type": as.contentType, "content-disposition": attachmentDisposition(file.filename) },
  };
}
