import { checkPreconditions, rangeApplies, type Validators } from "#domain/conditional-requests.ts";
import { AppError } from "#domain/errors.ts";
import { parseRange, type RangeRequest } from "#domain/range.ts";
import type { RequestContext } from "../context.ts";
import { logError } from "../log.ts";

/** What an address serves of a stored object. */
export interface Representation extends Validators {
  key: string;
  /** The object's size, or less: then only its beginning is served, as if there were no more of it. */
  sizeBytes: number;
  /** What the bytes are. */
  headers: Record<string, string>;
}

/** Whatever the bytes are: no cache keeps them, no browser runs them, no search engine lists them, and nobody is told of the link. */
const GUARDS = {
  // The edge would compress a text and so break its ranges (decisions, The link is the secret).
  "cache-control": "private, no-store, no-transform",
  "content-security-policy": "default-src 'none'; sandbox",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex",
};

/**
 * Answers a GET or HEAD with stored bytes, streamed untouched (RFC 9110 sections 13 and 14).
 * @param onWhole what is to happen once the representation's last byte has been taken
 * @throws AppError FILE_EXPIRED when the object has gone
 */
export async function sendStored(
  { services, request }: RequestContext,
  representation: Representation,
  onWhole: () => Promise<void> = () => Promise.resolve(),
): Promise<Response> {
  const { sizeBytes, key } = representation;
  const precondition = checkPreconditions(request.headers, representation);
  if (precondition !== "proceed") return withoutBytes(precondition, representation);

  const range = rangeOf(request, representation);
  if (range.kind === "unsatisfiable") return unsatisfiable(sizeBytes);
  const { offset, length } = range.kind === "part" ? range : { offset: 0, length: sizeBytes };
  const headers = new Headers({ ...headersOf(representation), "content-length": String(length) });
  if (range.kind === "part") headers.set("content-range", `bytes ${offset}-${offset + length - 1}/${sizeBytes}`);
  const status = range.kind === "part" ? 206 : 200;
  if (request.method === "HEAD") return new Response(null, { status, headers });

  const body = await openObject(services.bucket, key, { offset, length });
  const exact = new FixedLengthStream(length);
  // The platform moves the bytes; a reader that goes away rejects the pipe, and the file was not taken whole.
  const transfer = body.pipeTo(exact.writable);
  const reachesEnd = offset + length === sizeBytes;
  services.waitUntil(
    transfer.then(
      () => (reachesEnd ? onWhole().catch(recordFailure(key)) : undefined),
      () => undefined,
    ),
  );
  return new Response(exact.readable, { status, headers });
}

/** The bytes have arrived: that they were not counted is nobody's but the log's. */
function recordFailure(key: string) {
  return (error: unknown) => {
    logError("download.count_failed", error, { key });
  };
}

/** Only a GET has ranges (RFC 9110 section 14.2). */
function rangeOf(request: Request, representation: Representation): RangeRequest {
  const applies = request.method === "GET" && rangeApplies(request.headers.get("if-range"), representation);
  return applies ? parseRange(request.headers.get("range"), representation.sizeBytes) : { kind: "whole" };
}

async function openObject(
  bucket: R2Bucket,
  key: string,
  range: { offset: number; length: number },
): Promise<ReadableStream> {
  // A range of no bytes is none that a store knows.
  const object = await bucket.get(key, range.length > 0 ? { range } : {});
  // The sweep, or a deletion, took it between the row and the object.
  if (!object) throw new AppError("FILE_EXPIRED");
  return object.body;
}

function headersOf(representation: Representation): Record<string, string> {
  return { ...GUARDS, ...representation.headers, "accept-ranges": "bytes", ...validatorsOf(representation) };
}

function validatorsOf({ etag, modifiedAt }: Validators): Record<string, string> {
  return { etag, "last-modified": new Date(modifiedAt).toUTCString() };
}

/** Says which file it is, and nothing that would describe bytes (RFC 9110 sections 15.4.5 and 15.5.13). */
function withoutBytes(precondition: "not-modified" | "failed", representation: Representation): Response {
  const status = precondition === "not-modified" ? 304 : 412;
  return new Response(null, { status, headers: { ...GUARDS, ...validatorsOf(representation) } });
}

function unsatisfiable(sizeBytes: number): Response {
  const error = new AppError("RANGE_NOT_SATISFIABLE");
  const headers = { ...GUARDS, "content-range": `bytes */${sizeBytes}` };
  return Response.json(error.toJSON(), { status: error.status, headers });
}
