import { AppError } from "#domain/errors.ts";
import {
  checkPreconditions,
  rangeApplies,
  type Validators,
  parseRange,
  type RangeRequest,
} from "#domain/http-semantics.ts";
import { previewOf, TEXT_PREVIEW_BYTES, type Preview } from "#domain/preview.ts";
import type { RequestContext } from "../context.ts";
import type { FileRow } from "../db/files.ts";
import { findRecipientByToken } from "../db/recipients.ts";
import { followDownload, type Followed, type FollowedReader } from "../feed/follow-download.ts";
import { downloaderOf, type CountedUnder } from "../links/open-link.ts";
import { logError } from "../log.ts";
import { watchScan } from "../moderation/watch-scan.ts";
import { openLeased } from "./leased-bytes.ts";
import type { Representation, ByteRange } from "./representation.ts";

interface DownloadCounting {
  /** The lease under which the link's gate counts the bytes. Null for a link without a download limit. */
  lease: CountedUnder | null;
  /** Undefined for a preview, which counts only under a lease. */
  download?: CountedDownload;
}

interface CountedDownload {
  /** The download as the pages of the link's owner show it. */
  followed: Followed;
  /** @param firstByte the position in the file of the first byte that was sent */
  onLastByteSent(firstByte: number): Promise<void>;
}

/** The headers of bytes that strangers have uploaded. */
export const SECURITY_HEADERS = {
  // `no-transform`: compression at the edge would break ranges (decision 010).
  "cache-control": "private, no-store, no-transform",
  "content-security-policy": "default-src 'none'; sandbox",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex",
};

/**
 * Answers a download or preview, with conditions and ranges (RFC 9110 sections 13 and 14).
 * @throws AppError FILE_EXPIRED if the bytes no longer exist, LEASE_NEEDED, RATE_LIMITED for too many ranges of a
 * limited link, GATE_UNAVAILABLE
 */
export async function createDownloadResponse(
  context: RequestContext,
  representation: Representation,
  { lease, download }: DownloadCounting,
): Promise<Response> {
  const { services, request } = context;
  const { sizeBytes } = representation;
  const precondition = checkPreconditions(request.headers, representation);
  if (precondition !== "proceed") return answerPrecondition(precondition, representation);

  const range = rangeOf(request, representation);
  if (range.kind === "unsatisfiable") return answerUnsatisfiable(sizeBytes);
  const { offset, length } = range.kind === "part" ? range : { offset: 0, length: sizeBytes };
  const headers = new Headers({ ...headersOf(representation), "content-length": String(length) });
  if (range.kind === "part") headers.set("content-range", `bytes ${offset}-${offset + length - 1}/${sizeBytes}`);
  const status = range.kind === "part" ? 206 : 200;
  if (request.method === "HEAD") return new Response(null, { status, headers });

  const asked = { offset, length };
  const send = lease === null ? representation.open(asked) : openLeased(services, representation, lease, asked);
  const stream = new FixedLengthStream(length);
  const { signal, stop } = watchScan(services, representation.file);
  const transfer = (await send)(stream.writable, { ...(signal && { signal }) }).finally(stop);
  if (download) services.waitUntil(afterwards(context, representation, transfer, { ...download, lease, ...asked }));
  else services.waitUntil(transfer.catch(() => undefined));
  return new Response(stream.readable, { status, headers });
}

/** Counts the download, and tells the pages of the link's owner. Never rejects. */
async function afterwards(
  context: RequestContext,
  { key, sizeBytes, coverage }: Representation,
  transfer: Promise<void>,
  { followed, onLastByteSent, offset, length, lease }: CountedDownload & ByteRange & Pick<DownloadCounting, "lease">,
): Promise<void> {
  const sent = { offset, length, sizeBytes, resource: coverage.resource, lease: lease?.id ?? null };
  const end = followDownload(context.services, followed, sent, () => readerOf(context, followed.file));
  try {
    await transfer;
  } catch {
    return end("broken");
  }
  try {
    if (offset + length === sizeBytes) await onLastByteSent(offset);
  } catch (error) {
    logError("download.count_failed", error, { key });
  }
  return end("done");
}

async function readerOf(context: RequestContext, file: FileRow): Promise<FollowedReader> {
  const { token, isOwner } = await downloaderOf(context, file);
  const isNamed = !isOwner && token !== null;
  return { isOwner, recipient: isNamed ? await findRecipientByToken(context.services.db, file.id, token) : null };
}

/** Ignores the range of a HEAD (RFC 9110 section 14.2). */
function rangeOf(request: Request, representation: Representation): RangeRequest {
  const applies = request.method === "GET" && rangeApplies(request.headers.get("if-range"), representation);
  return applies ? parseRange(request.headers.get("range"), representation.sizeBytes) : { kind: "whole" };
}

function headersOf(representation: Representation): Record<string, string> {
  return { ...SECURITY_HEADERS, ...representation.headers, "accept-ranges": "bytes", ...validatorsOf(representation) };
}

function validatorsOf({ etag, modifiedAt }: Validators): Record<string, string> {
  return { etag, "last-modified": new Date(modifiedAt).toUTCString() };
}

/** The answer has no headers that describe a body (RFC 9110 sections 15.4.5 and 15.5.13). */
function answerPrecondition(precondition: "not-modified" | "failed", representation: Representation): Response {
  const status = precondition === "not-modified" ? 304 : 412;
  return new Response(null, { status, headers: { ...SECURITY_HEADERS, ...validatorsOf(representation) } });
}

function answerUnsatisfiable(sizeBytes: number): Response {
  const error = new AppError("RANGE_NOT_SATISFIABLE");
  const headers = { ...SECURITY_HEADERS, "content-range": `bytes */${sizeBytes}` };
  return Response.json(error.toJSON(), { status: error.status, headers });
}

/**
 * @returns the preview, with a type that runs no scripts (decision 017) and the bytes to serve @throws AppError NO_PREVIEW
 */
export function requirePreview(mimeType: string, fileBytes: number): Preview & { sizeBytes: number } {
  const preview = previewOf(mimeType);
  if (!preview) throw new AppError("NO_PREVIEW");
  return { ...preview, sizeBytes: preview.kind === "text" ? Math.min(fileBytes, TEXT_PREVIEW_BYTES) : fileBytes };
}
