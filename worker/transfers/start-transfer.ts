import { AppError } from "#domain/errors.ts";
import { expiresAt, type Lifetime } from "#domain/expiry.ts";
import { partLength } from "#domain/parts.ts";
import { SEALED_NAME } from "#domain/seal/names.ts";
import type { StartTransferAnswer, StartTransferRequest, SignedObjectPart, TransferBatchAnswer } from "#domain/wire.ts";
import type { BatchResult, EntryMark, TransferState, PartsToSign } from "#durable-objects/transfer/results.ts";
import { takerOf } from "#durable-objects/shared/segments.ts";
import { keyIdOf, newFileId, quotaHolderOf, type Caller } from "../callers/caller.ts";
import { checkTransferPlan, checkVisitorTotals, plainSize } from "../callers/check-plan.ts";
import { readLifetime } from "../callers/lifetime.ts";
import { checkKinds } from "../callers/request-bounds.ts";
import { transferSessionOf, toTransferError } from "../callers/sessions.ts";
import type { FileRow } from "../db/files.ts";
import { listMatchingTransfers } from "../db/resumable-uploads.ts";
import { type NewFile, changeExpiration } from "../db/uploads.ts";
import { protectionOf, sealStateOf } from "../links/describe-link.ts";
import { updateResumedProtection } from "../links/protection-at-start.ts";
import type { Services } from "../services.ts";
import { numberedPrefix } from "../storage/keys.ts";
import { newFile, startLink } from "../uploads/open-upload.ts";
import { findRepeatedStart, requireRepeated, type StartKey } from "../uploads/start-key.ts";
import { shareUrl, toIso } from "../urls.ts";

/** The type of the ZIP that the link as a whole serves. */
const ZIP_MIME_TYPE = "application/zip";
const UNTITLED = "Transfer";

/**
 * Starts a transfer, or resumes the caller's unfinished transfer with the same fingerprint, whatever its title.
 * @param rateLimit settles when the rate limit has been checked
 * @param now epoch milliseconds
 * @param startKey a program's `Idempotency-Key`: starts with the same key are one start
 * @throws AppError PLAN_LIMIT_EXCEEDED, KEY_LIMIT, RATE_LIMITED, REPEATED_DIFFERENTLY, STORAGE_UNAVAILABLE, BAD_REQUEST
 * for a wrong end, and a batch's errors; on an error, nothing is stored
 */
export async function startTransfer(
  services: Services,
  caller: Caller,
  request: StartTransferRequest,
  rateLimit: Promise<void>,
  now: number,
  startKey: StartKey | null = null,
): Promise<StartTransferAnswer> {
  // Waits for the rate limit first, so that a call over both the rate limit and the plan's limits gets the rate limit's
  // error.
  await rateLimit;
  const isSealed = request.seal !== undefined;
  const lifetime = readLifetime(request, request.totals.bytes, now);
  checkTransferPlan(caller, lifetime.expiration, request.totals.entries, largestOf(request, isSealed));
  checkKinds(services, caller, request);
  checkVisitorTotals(caller, request.totals.bytes);
  const repeated = await findRepeatedStart(services, caller, startKey);
  if (repeated) return answerRepeated(services, repeated, lifetime, now);
  const resumed = await resumeTransfer(services, caller, request, lifetime);
  if (resumed) {
    const file = await updateResumedProtection(services, caller, resumed.file, request.guards, now);
    return answerStart(services, file, lifetime, resumed, now);
  }

  const id = newFileId(caller);
  const link = { ...request, lifetime, startKey, now };
  const file = await newFile(services, caller, link, {
    id,
    filename: isSealed ? SEALED_NAME : (request.title ?? titleOf(request)),
    mimeType: ZIP_MIME_TYPE,
    s3Key: numberedPrefix(id),
    entryCount: request.totals.entries,
    message: request.message === "" ? null : request.message,
  });
  const session = transferSessionOf(services, file);
  const origin = file.sender === null ? {} : { isThroughRequest: true };
  const plan = { fileId: id, title: file.filename, lifetime, entries: request.totals.entries, isSealed, ...origin };
  const opened = await startLink<BatchResult>(services, caller, file, {
    rateLimit,
    onMatch: startKey === null ? "reserve" : "return",
    start: () => session.start(plan, request, file.manifest),
    cancel: () => session.cancel(),
  });
  if (opened.kind === "matching") {
    const [first] = opened.files;
    if (!first || startKey === null) throw new Error("matching uploads were not requested");
    return answerRepeated(services, requireRepeated(first, startKey), lifetime, now);
  }
  if (!opened.started.ok) throw toTransferError(opened.started);
  const batch = await answerBatch(services, opened.started);
  return { ...describeLink(services, file, lifetime, now), resumed: false, ...batch };
}

/** @returns the size in bytes of the largest file that the request announces, without the overhead of encryption */
export function largestOf({ entries }: Pick<StartTransferRequest, "entries">, isSealed: boolean): number {
  return Math.max(0, ...(entries?.list ?? []).map(([, size]) => plainSize(size, isSealed)));
}

/** The title of a transfer: the name of its root folder if all files are in one, or else the name of the first file. */
function titleOf({ entries }: StartTransferRequest): string {
  const list = entries?.list ?? [];
  const [first] = list;
  if (!first) return UNTITLED;
  const roots = new Set(list.map(([path]) => path.split("/", 1)[0]));
  const [root] = roots;
  return roots.size === 1 && root ? root : (first[0].split("/").at(-1) ?? UNTITLED);
}

interface ResumedTransfer {
  file: FileRow;
  state: TransferState;
  /** Undefined for a plain transfer. */
  marks?: EntryMark[] | undefined;
}

async function resumeTransfer(
  services: Services,
  caller: Caller,
  { fingerprint, seal }: StartTransferRequest,
  lifetime: Lifetime,
): Promise<ResumedTransfer | null> {
  const userId = quotaHolderOf(caller);
  if (userId === null || fingerprint === null) return null;
  const senderTokenHash = caller.kind === "sender" ? caller.tokenHash : null;
  const identity = { fingerprint, isSealed: seal !== undefined, apiKeyId: keyIdOf(caller), senderTokenHash };
  for (const file of await listMatchingTransfers(services.db, userId, identity)) {
    const resumed = await transferSessionOf(services, file).resume(withoutSize(lifetime));
    if (!resumed.ok) continue;
    await changeExpiration(services.db, file.id, lifetime);
    return { file, state: resumed.state, marks: resumed.marks };
  }
  return null;
}

function answerStart(
  services: Services,
  file: FileRow,
  lifetime: Lifetime,
  { state, marks }: ResumedTransfer,
  now: number,
): StartTransferAnswer {
  const { entries, stored, received, again, next, announcedBytes } = state;
  const link = { ...describeLink(services, file, lifetime, now), ...(marks && { marks }) };
  return { ...link, resumed: true, next, announcedBytes, entries, opened: [], urls: [], stored, received, again };
}

/**
 * Answers a repeated start with the first start's transfer.
 * @throws AppError STORAGE_UNAVAILABLE while the first start is still at work
 */
async function answerRepeated(
  services: Services,
  file: FileRow,
  lifetime: Lifetime,
  now: number,
): Promise<StartTransferAnswer> {
  const resumed = await transferSessionOf(services, file).resume(withoutSize(lifetime));
  if (resumed.ok) return answerStart(services, file, lifetime, { ...resumed, file }, now);
  throw resumed.code === "NO_UPLOAD" ? new AppError("STORAGE_UNAVAILABLE") : toTransferError(resumed);
}

/** A resumed transfer keeps its announced total, which the session may have raised. */
function withoutSize({ sizeBytes: _sizeBytes, ...lifetime }: Lifetime): Omit<Lifetime, "sizeBytes"> {
  return lifetime;
}

function describeLink({ settings }: Services, file: NewFile | FileRow, lifetime: Lifetime, now: number) {
  return {
    uploadId: file.id,
    downloadId: file.downloadId,
    shareUrl: shareUrl(settings, file.downloadId),
    expiresAt: toIso(expiresAt(lifetime, now)),
    ...protectionOf(file),
    ...sealStateOf(file),
  };
}

/** The answer to a successful batch, with presigned URLs. */
export async function answerBatch(
  services: Services,
  { state, opened, toSign }: Extract<BatchResult, { ok: true }>,
): Promise<TransferBatchAnswer> {
  const { entries, stored, received, again } = state;
  const urls = await Promise.all(toSign.map((parts) => signParts(services, parts)));
  return { entries, opened, urls: urls.flat(), stored, received, again };
}

/** Signs the parts that an upload takes: none for a part whose segment has all its parts. */
function signParts(
  { signer }: Services,
  { object, uploads, sizeBytes, partSizeBytes, parts }: PartsToSign,
): Promise<SignedObjectPart[]> {
  return Promise.all(
    parts.flatMap((part) => {
      const upload = takerOf(uploads, part);
      if (!upload) return [];
      const { key, r2UploadId, firstPart } = upload;
      const lengthBytes = partLength(sizeBytes, part, partSizeBytes);
      const signing = signer.partUrl(key, r2UploadId, part - firstPart + 1, lengthBytes);
      return signing.then((url) => ({ object, part, url }));
    }),
  );
}
