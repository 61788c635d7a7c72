import type { Checksum } from "#domain/checksums.ts";
import { AppError } from "#domain/errors.ts";
import { expiresAt, type Lifetime } from "#domain/expiry.ts";
import { isMultipart, PARTS_SIGNED_AT_START, planParts, type PartPlan, partLength } from "#domain/parts.ts";
import { closedCode } from "#domain/upload-lifetime.ts";
import type {
  StartUploadAnswer,
  StartUploadRequest,
  PartSum,
  CompletedPart,
  ProxiedPart,
  SignPartsAnswer,
  CompleteUploadAnswer,
  UploadSummary,
} from "#domain/wire.ts";
import { takerOf, type MultipartUpload } from "#durable-objects/shared/segments.ts";
import type { Caller } from "../callers/caller.ts";
import { checkPlan, plainSize } from "../callers/check-plan.ts";
import { readLifetime } from "../callers/lifetime.ts";
import {
  sessionOf,
  toAppError,
  getOwnFile,
  requireSingleFile,
  requireUnfinished,
  type CallerLookup,
  endUpload,
} from "../callers/sessions.ts";
import type { FileRow } from "../db/files.ts";
import { findEndCode } from "../db/upload-audit.ts";
import type { NewFile } from "../db/uploads.ts";
import { localizedError } from "../errors/translate-error.ts";
import { tellOfReceived } from "../feed/tell.ts";
import { protectionOf, sealStateOf } from "../links/describe-link.ts";
import { updateResumedProtection } from "../links/protection-at-start.ts";
import type { Services } from "../services.ts";
import { incomingKey } from "../storage/keys.ts";
import { putIncoming, putPart, UploadGoneError } from "../storage/objects.ts";
import { shareUrl, toIso, contentUrl } from "../urls.ts";
import { requireFinalManifest } from "./manifest.ts";
import { openUpload, type NewUpload, type OpenedUpload } from "./open-upload.ts";
import { isIdentifiable, resumeFirst, resumeMatchingUpload } from "./resume.ts";
import { type StartKey, findRepeatedStart, requireRepeated } from "./start-key.ts";
import { keepSummary } from "./upload-log.ts";

/**
 * Starts an upload, or resumes the caller's unfinished upload of the same file. @param rateLimit settles when the rate
 * limit has been checked @param now epoch milliseconds @throws AppError FILE_TOO_LARGE, RATE_LIMITED,
 * STORAGE_UNAVAILABLE, KEY_LIMIT, REPEATED_DIFFERENTLY, UPLOAD_CLOSED, BAD_REQUEST for a wrong end, or
 * PLAN_LIMIT_EXCEEDED with `planLimitExceeded`
 */
export async function startUpload(
  services: Services,
  caller: Caller,
  request: StartUploadRequest,
  rateLimit: Promise<void>,
  now: number,
  { sha256 = null, startKey = null }: ProgramStart = {},
): Promise<StartUploadAnswer> {
  const isSealed = request.seal !== undefined;
  const lifetime = await preferRateLimitError(rateLimit, () => {
    const read = readLifetime(request, request.fileSize, now);
    checkPlan(caller, { ...read, sizeBytes: plainSize(read.sizeBytes, isSealed) });
    return read;
  });
  const parts = planParts(lifetime.sizeBytes);
  const upload: NewUpload = {
    ...request,
    lifetime,
    sha256,
    startKey,
    partSizeBytes: isMultipart(lifetime.sizeBytes) ? parts.partSizeBytes : null,
    chunkSizeBytes: null,
    now,
  };
  // A hash costs too much for a call that will be refused.
  if (startKey !== null || request.guards?.password !== undefined) await rateLimit;
  const begun =
    startKey === null
      ? await openOrResume(services, caller, upload, rateLimit)
      : await openOnce(services, caller, { ...upload, startKey });
  if (begun.kind === "opened") {
    return answerStart(services, begun.file, lifetime, { uploads: begun.uploads, received: [], parts }, now);
  }
  const file = await updateResumedProtection(services, caller, begun.file, request.guards, now);
  return answerStart(services, file, lifetime, begun.progress, now);
}

/** If both fail, throws the rate limit's error. */
async function preferRateLimitError<Result>(rateLimit: Promise<void>, check: () => Result): Promise<Result> {
  try {
    return check();
  } catch (error) {
    await rateLimit;
    throw error;
  }
}

/** Further values of a start by a program. */
interface ProgramStart {
  /** SHA-256 in hex, as the sender says. */
  sha256?: string | null;
  startKey?: StartKey | null;
}

async function answerStart(
  services: Services,
  file: NewFile | FileRow,
  lifetime: Lifetime,
  { uploads, received, marks, sums, parts }: StoredParts,
  now: number,
): Promise<StartUploadAnswer> {
  const { id, downloadId, mimeType } = file;
  const { sizeBytes } = lifetime;
  const missing = missingParts(parts, new Set(received)).slice(0, PARTS_SIGNED_AT_START);
  const urls = await signAll(services, { id, mimeType, sizeBytes }, { uploads, parts }, missing);
  return {
    presignedUrl: urls[0]?.url ?? "",
    urls,
    received,
    uploadId: id,
    downloadId,
    shareUrl: shareUrl(services.settings, downloadId),
    fileData: { contentType: mimeType },
    expiresAt: toIso(expiresAt(lifetime, now)),
    ...(uploads && { multipart: parts }),
    ...protectionOf(file),
    ...sealStateOf(file),
    ...(file.seal !== null && marks && { marks }),
    ...(sums && { sums }),
  };
}

function missingParts({ partCount }: PartPlan, received: ReadonlySet<number>): number[] {
  return Array.from({ length: partCount }, (_, index) => index + 1).filter((part) => !received.has(part));
}

interface StoredParts {
  /** The multipart uploads that take the first missing parts; null for a single PUT. */
  uploads: MultipartUpload[] | null;
  received: number[];
  /** The marks of an upload that is resumed. */
  marks?: { part: number; mark: string }[];
  sums?: PartSum[];
  /** The parts as planned at the start, maybe by another release. */
  parts: PartPlan;
}

type Begun = OpenedUpload | { kind: "resumed"; file: FileRow; progress: StoredParts };

async function openOrResume(
  services: Services,
  caller: Caller,
  upload: NewUpload,
  rateLimit: Promise<void>,
): Promise<Begun> {
  if (!isIdentifiable(identityOf(upload))) return openUpload(services, caller, upload, rateLimit);
  const result = await openUpload(services, caller, upload, rateLimit, "return");
  if (result.kind === "opened") return result;
  const resumed = await resumeFirst(services, result.files, "parts", upload.lifetime);
  return resumed ? { kind: "resumed", file: resumed.file, progress: resumed } : openUpload(services, caller, upload);
}

function identityOf({ filename, lastModified = null, fingerprint = null, seal }: NewUpload) {
  return { filename, lastModified, fingerprint, isSealed: seal !== undefined };
}

/**
 * Opens one upload for a start key, however often and in parallel it comes. Under a new key, an unfinished upload of
 * the same file goes on, as without a key. @throws AppError REPEATED_DIFFERENTLY, UPLOAD_CLOSED, STORAGE_UNAVAILABLE
 * when the first start is still at work, and what `openUpload` throws
 */
async function openOnce(
  services: Services,
  caller: Caller,
  upload: NewUpload & { startKey: StartKey },
): Promise<Begun> {
  const { startKey, lifetime } = upload;
  const repeated = await findRepeatedStart(services, caller, startKey);
  if (repeated) return resumeStarted(services, repeated, upload);
  const resumed = await resumeMatchingUpload(services, caller, "parts", identityOf(upload), lifetime);
  if (resumed) return { kind: "resumed", file: resumed.file, progress: resumed };
  const result = await openUpload(services, caller, upload, Promise.resolve(), "return");
  if (result.kind === "opened") return result;
  const [first] = result.files;
  if (!first) throw new Error("an upload matched and was not listed");
  return resumeStarted(services, requireRepeated(first, startKey), upload);
}

async function resumeStarted(services: Services, file: FileRow, { lifetime }: NewUpload): Promise<Begun> {
  if (file.status === "ready") {
    const parts = planParts(file.size);
    const received = Array.from({ length: parts.partCount }, (_, index) => index + 1);
    return { kind: "resumed", file, progress: { uploads: null, received, parts } };
  }
  const progress = await sessionOf(services, file).resume("parts", lifetime);
  if (progress.ok) return { kind: "resumed", file, progress };
  throw progress.code === "NO_UPLOAD" ? new AppError("STORAGE_UNAVAILABLE") : toAppError(progress);
}

/**
 * Stores completed parts and presigns at most a hundred others.
 * @throws AppError FILE_NOT_FOUND, UPLOAD_CLOSED, UPLOAD_FINISHED, or BAD_REQUEST for a part that is not in the plan
 */
export async function signParts(
  services: Services,
  caller: CallerLookup,
  request: { downloadId: string; parts: number[]; receipts: CompletedPart[] },
): Promise<SignPartsAnswer> {
  const file = requireUnfinished(requireSingleFile(await getOwnFile(services, caller, request.downloadId)));
  const session = await sessionOf(services, file).storeReceipts(request.receipts, request.parts);
  if (!session.ok) throw toAppError(session);
  const { parts, received } = session;
  for (const part of [...request.parts, ...request.receipts.map((receipt) => receipt.part)]) requirePart(parts, part);
  const { id, mimeType, size: sizeBytes } = file;
  return { urls: await signAll(services, { id, mimeType, sizeBytes }, session, request.parts), received };
}

/**
 * Stores a part for a browser that cannot reach storage, and notes it as completed. A part of a sealed upload is not
 * noted, because its sender adds the mark. @param crc32 the sender's @param length Content-Length @throws AppError
 * FILE_NOT_FOUND, UPLOAD_CLOSED, UPLOAD_FINISHED, LENGTH_REQUIRED, BAD_REQUEST, BODY_TOO_LARGE
 */
export async function proxyPart(
  services: Services,
  caller: CallerLookup,
  {
    downloadId,
    part,
    crc32,
    length,
    body,
  }: { downloadId: string; part: number; length: number | null; body: ReadableStream } & Pick<CompletedPart, "crc32">,
): Promise<ProxiedPart> {
  const file = requireUnfinished(requireSingleFile(await getOwnFile(services, caller, downloadId)));
  if (length === null) throw new AppError("LENGTH_REQUIRED");
  const session = sessionOf(services, file);
  const prepared = await session.storeReceipts([], [part]);
  if (!prepared.ok) throw toAppError(prepared);
  const { parts, uploads, closed } = prepared;
  requirePart(parts, part);
  requireLength(part, length, partLength(file.size, part, parts.partSizeBytes));
  const name = { downloadId, originalName: file.originalFilename };
  // If the body breaks off, the put fails and R2 stores nothing of it.
  if (uploads === null) {
    return { part, etag: await putIncoming(services.bucket, file.id, body, file.mimeType), ...name };
  }
  const upload = takerOf(uploads, part);
  const [stored] = closed;
  if (!upload) {
    if (stored) return { ...stored, ...name };
    throw new AppError("UPLOAD_CLOSED");
  }
  const { key, r2UploadId, firstPart } = upload;
  let etag: string;
  try {
    etag = await putPart(services.bucket, key, r2UploadId, part - firstPart + 1, body);
  } catch (error) {
    if (!(error instanceof UploadGoneError)) throw error;
    // Another PUT of the part may have closed its segment meanwhile.
    const again = await session.storeReceipts([], [part]);
    if (!again.ok) throw toAppError(again);
    const [now] = again.closed;
    if (!now) throw new AppError("UPLOAD_CLOSED");
    return { ...now, ...name };
  }
  const receipt = { part, etag };
  if (file.seal !== null) return { ...receipt, ...name };
  const recorded = await session.storeReceipts([{ ...receipt, crc32 }]);
  if (!recorded.ok) throw toAppError(recorded);
  return { ...receipt, ...name };
}

function requirePart({ partCount }: PartPlan, part: number): void {
  if (part >= 1 && part <= partCount) return;
  throw new AppError("BAD_REQUEST", { message: `There is no part ${part}: this file has ${partCount} parts.` });
}

function requireLength(part: number, length: number, expected: number): void {
  if (length > expected) throw new AppError("BODY_TOO_LARGE", { message: `Part ${part} holds ${expected} bytes.` });
  if (length < expected) throw new AppError("BAD_REQUEST", { message: `Part ${part} has to hold ${expected} bytes.` });
}

/** Signs the parts that a multipart upload takes, or without one a single PUT. */
function signAll(
  { signer }: Services,
  file: { id: string; mimeType: string; sizeBytes: number },
  { uploads, parts: { partSizeBytes } }: Pick<StoredParts, "uploads" | "parts">,
  parts: number[],
): Promise<SignPartsAnswer["urls"]> {
  const { sizeBytes } = file;
  const signed = parts.flatMap((part) => {
    if (uploads === null) {
      const body = { contentType: file.mimeType, contentLength: sizeBytes };
      return { part, signing: signer.putUrl(incomingKey(file.id), body) };
    }
    const upload = takerOf(uploads, part);
    if (!upload) return [];
    const { key, r2UploadId, firstPart } = upload;
    const lengthBytes = partLength(sizeBytes, part, partSizeBytes);
    return { part, signing: signer.partUrl(key, r2UploadId, part - firstPart + 1, lengthBytes) };
  });
  return Promise.all(signed.map(async ({ part, signing }) => ({ part, url: await signing })));
}

/**
 * Completes an upload. Idempotent. @param request `mustMatch`: discards bytes whose hash is not `sha256`
 * @throws AppError FILE_NOT_FOUND, UPLOAD_CLOSED, UPLOAD_INCOMPLETE, MANIFEST_MISSING, OBJECT_MISMATCH,
 * CHECKSUM_MISMATCH, FILE_CHANGED, CONTENT_BLOCKED, STORAGE_UNAVAILABLE, BAD_REQUEST for a sealed upload's `sha256`
 */
export async function completeUpload(
  services: Services,
  caller: CallerLookup,
  request: {
    downloadId: string;
    receipts: CompletedPart[];
    sha256: string | null;
    crc32?: string | undefined;
    mustMatch?: boolean;
    summary?: UploadSummary | undefined;
  },
): Promise<CompleteUploadAnswer> {
  const file = requireSingleFile(await getOwnFile(services, caller, request.downloadId));
  if (file.status === "ready") return describe(services, file, file.expiresAt?.getTime() ?? null);
  if (file.status !== "uploading") {
    throw new AppError(closedCode(await findEndCode(services.db, file.id)));
  }
  if (file.seal !== null && request.sha256 !== null) {
    throw localizedError("BAD_REQUEST", "sealedSum", {}, { field: "sha256" });
  }
  await requireFinalManifest(services, file);
  const sha256 = request.sha256 ?? file.sha256;
  const checksum: Checksum | null = sha256 === null ? null : { sha256, source: "browser" };
  const { receipts, mustMatch, crc32 = null } = request;
  const result = await sessionOf(services, file).complete(receipts, checksum, mustMatch, crc32);
  if (!result.ok) throw toAppError(result);
  keepSummary(services, file, request.summary);
  return describe(services, file, result.expiresAt);
}

/** Cancels an upload and releases its quota. Idempotent. @throws AppError FILE_NOT_FOUND, UPLOAD_FINISHED */
export async function cancelUpload(
  services: Services,
  caller: CallerLookup,
  downloadId: string,
  summary?: UploadSummary,
): Promise<void> {
  const file = await getOwnFile(services, caller, downloadId);
  if (file.status === "ready") throw new AppError("UPLOAD_FINISHED");
  if (file.status !== "uploading") return;
  await endUpload(services, file);
  keepSummary(services, file, summary);
  tellOfReceived(services, file, "ended", Date.now());
}

/** Keeps the summary of an upload that failed and may go on. @throws AppError FILE_NOT_FOUND */
export async function noteFailedUpload(
  services: Services,
  caller: CallerLookup,
  { downloadId, summary }: { downloadId: string; summary: UploadSummary },
): Promise<void> {
  const file = await getOwnFile(services, caller, downloadId);
  // The row of a finished upload has its summary already.
  if (file.status === "uploading") keepSummary(services, file, summary);
}

function describe({ settings }: Services, file: FileRow, expiresAtMs: number | null): CompleteUploadAnswer {
  return {
    id: file.id,
    downloadId: file.downloadId,
    shareUrl: shareUrl(settings, file.downloadId),
    downloadUrl: contentUrl(settings, file.downloadId),
    filename: file.filename,
    size: file.size,
    expiresAt: toIso(expiresAtMs),
  };
}
