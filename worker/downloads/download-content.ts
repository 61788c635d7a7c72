import { AppError } from "#domain/errors.ts";
import { attachmentDisposition } from "#domain/file-names.ts";
import { servedMimeType } from "#domain/mime.ts";
import { showsWhileArriving } from "#domain/preview.ts";
import { stretchesIn } from "#domain/segments.ts";
import type { ContentQuery, FollowQuery } from "#domain/wire.ts";
import type { RequestContext } from "../context.ts";
import type { FileRow } from "../db/files.ts";
import { openLink, type OpenedLink } from "../links/open-link.ts";
import { serveArchive } from "./archive.ts";
import { createDownloadResponse, requirePreview } from "./download-response.ts";
import { numberedKey } from "../storage/keys.ts";
import { canBeFollowed, followedFile, FollowingReader, notReadableYet } from "./follow-upload.ts";
import { noteDownload } from "./note-download.ts";
import { openObject, type Representation } from "./representation.ts";
import { sendPieces } from "./send-pieces.ts";

/**
 * Sends a file, or a transfer's ZIP. Counts a download when the last byte has been sent. @param query `follow` only for a
 * file, the others only for a transfer @throws AppError UPLOAD_UNFINISHED, SEALED for the ZIP of an encrypted transfer,
 * RATE_LIMITED, BAD_REQUEST,
 * and the errors of `openLink` and `createDownloadResponse`
 */
export async function serveContent(
  context: RequestContext,
  downloadId: string,
  now: number,
  { follow, ...query }: ContentQuery = {},
): Promise<Response> {
  const { file, lease } = await openLink(context, downloadId, "bytes", now);
  if (file.entryCount !== null) {
    // The browser that has the link's key makes the ZIP.
    if (file.seal !== null) throw new AppError("SEALED");
    return serveArchive(context, { file, lease }, query, now);
  }
  return serveFile(context, { file, lease }, follow);
}

/**
 * @param link of a single file @param follow "1" to read a file that is still uploading @throws AppError
 * UPLOAD_UNFINISHED, and the errors of `createDownloadResponse` and `FollowingReader`
 */
export async function serveFile(
  context: RequestContext,
  { file, lease }: OpenedLink,
  follow?: FollowQuery["follow"],
): Promise<Response> {
  const contentType = servedMimeType(file.mimeType);
  const representation = representationOf(context, file, { contentType, sizeBytes: file.size }, follow);
  return createDownloadResponse(context, representation, {
    lease,
    download: {
      followed: { file },
      onLastByteSent: () => noteDownload(context, file),
    },
  });
}

/** @throws AppError NO_PREVIEW, SEALED, and the errors of `serveContent` */
export async function servePreview(
  context: RequestContext,
  downloadId: string,
  now: number,
  { follow }: FollowQuery = {},
): Promise<Response> {
  const { file, lease } = await openLink(context, downloadId, "bytes", now);
  if (file.seal !== null) throw new AppError("SEALED");
  const preview = requirePreview(servedMimeType(file.mimeType), file.size);
  const representation = representationOf(context, file, preview, showsWhileArriving(preview) ? follow : undefined);
  return createDownloadResponse(context, representation, { lease });
}

/** @throws AppError UPLOAD_UNFINISHED */
function representationOf(
  { services }: RequestContext,
  file: FileRow,
  served: { contentType: string; sizeBytes: number },
  follow: FollowQuery["follow"],
): Representation {
  const reader =
    follow === "1" && canBeFollowed(file) ? new FollowingReader(services, followedFile(services, file)) : null;
  const modifiedAt = file.layout === null ? file.uploadedAt : file.createdAt;
  const isReadable = file.status === "ready" || reader !== null;
  if (!isReadable || file.etag === null || modifiedAt === null) throw notReadableYet();
  return {
    downloadId: file.downloadId,
    file,
    key: file.s3Key,
    sizeBytes: served.sizeBytes,
    etag: `"${file.etag}"`,
    // Of a file in segments, the same as while it uploaded, so that a download resumes across the end of the upload.
    modifiedAt: modifiedAt.getTime(),
    headers: { "content-type": served.contentType, "content-disposition": attachmentDisposition(file.filename) },
    coverage: { resource: "file", wholesIn: () => [[0, file.size]] },
    open: ({ offset, length }) => {
      if (reader) return reader.open({ offset, length });
      const { bucket } = services;
      const { id, layout, s3Key } = file;
      if (layout === null)
        return sendPieces([{ object: 0, offset, length }], (piece) => openObject(bucket, s3Key, piece));
      const stretches = stretchesIn(layout, offset, offset + length);
      return sendPieces(stretches, (stretch) => openObject(bucket, numberedKey(id, stretch.object), stretch));
    },
  };
}
