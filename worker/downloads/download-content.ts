import { checkPreconditions, rangeApplies, type Validators } from "#domain/conditional.ts";
import { attachmentDisposition } from "#domain/content-disposition.ts";
import { AppError } from "#domain/errors.ts";
import { parseRange, type RangeRequest } from "#domain/range.ts";
import type { RequestContext } from "../context.ts";
import { countDownload, type FileRow } from "../db/files.ts";
import { getLivingFile } from "./download-info.ts";

/**
 * A file's bytes, as an attachment, streamed from storage untouched (GET and HEAD; RFC 9110 sections 13 and 14).
 * @param now epoch milliseconds
 * @throws AppError FILE_NOT_FOUND, FILE_EXPIRED, UPLOAD_UNFINISHED
 */
export async function serveContent(context: RequestContext, downloadId: string, now: number): Promise<Response> {
  const { services, request } = context;
  const file = await getLivingFile(services, downloadId, now);
  if (file.status === "uploading" || file.etag === null || !file.uploadedAt) throw new AppError("UPLOAD_UNFINISHED");
  const validators: Validators = { etag: `"${file.etag}"`, modifiedAt: file.uploadedAt.getTime() };
  const headers = contentHeaders(file, validators);
  const precondition = checkPreconditions(request.headers, validators);
  if (precondition === "not-modified") return new Response(null, { status: 304, headers });
  if (precondition === "failed") return new Response(null, { status: 412, headers });

  const range = rangeOf(request, file, validators);
  if (range.kind === "unsatisfiable") return unsatisfiable(file);
  const offset = range.kind === "part" ? range.offset : 0;
  const length = range.kind === "part" ? range.length : file.size;
  headers.set("content-length", String(length));
  if (range.kind === "part") headers.set("content-range", `bytes ${offset}-${offset + length - 1}/${file.size}`);
  const status = range.kind === "part" ? 206 : 200;
  if (request.method === "HEAD") return new Response(null, { status, headers });

  const body = await openObject(services.bucket, file, { offset, length });
  const counted = new FixedLengthStream(length);
  // The platform moves the bytes; a reader that goes away rejects the pipe, and nothing is counted.
  const transfer = body.pipeTo(counted.writable);
  const reachesEnd = offset + length === file.size;
  services.waitUntil(
    transfer.then(
      () => (reachesEnd ? countDownload(services.db, file.id) : undefined),
      () => undefined,
    ),
  );
  return new Response(counted.readable, { status, headers });
}

/** Only a GET has ranges (RFC 9110 section 14.2). */
function rangeOf(request: Request, file: FileRow, validators: Validators): RangeRequest {
  if (request.method !== "GET" || !rangeApplies(request.headers.get("if-range"), validators)) return { kind: "whole" };
  return parseRange(request.headers.get("range"), file.size);
}

async function openObject(
  bucket: R2Bucket,
  file: FileRow,
  range: { offset: number; length: number },
): Promise<ReadableStream> {
  const object = await bucket.get(file.s3Key, file.size > 0 ? { range } : {});
  // The sweep, or a deletion, took it between the row and the object.
  if (!object) throw new AppError("FILE_EXPIRED");
  return object.body;
}

function contentHeaders(file: FileRow, validators: Validators): Headers {
  return new Headers({
    "content-type": file.mimeType,
    "content-disposition": attachmentDisposition(file.filename),
    // The edge would compress a text and so break its ranges (decisions, The link is the secret).
    "cache-control": "private, no-store, no-transform",
    "accept-ranges": "bytes",
    etag: validators.etag,
    "last-modified": new Date(validators.modifiedAt).toUTCString(),
    "content-security-policy": "default-src 'none'; sandbox",
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex",
  });
}

function unsatisfiable(file: FileRow): Response {
  const error = new AppError("RANGE_NOT_SATISFIABLE");
  const headers = { "content-range": `bytes */${file.size}`, "cache-control": "private, no-store" };
  return Response.json(error.toJSON(), { status: error.status, headers });
}
