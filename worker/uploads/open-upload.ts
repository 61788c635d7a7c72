import { AppError } from "#domain/errors.ts";
import type { Lifetime } from "#domain/expiry.ts";
import { newLinkToken, shardOfRowId } from "#domain/ids.ts";
import { mimeTypeOf } from "#domain/mime.ts";
import type { DownloadNotice } from "#domain/notices/when-mailed.ts";
import { limitFor } from "#domain/plans.ts";
import { SEALED_TYPE } from "#domain/seal/names.ts";
import { layOutSegments, objectSizes, SEGMENTED_FROM_BYTES } from "#domain/segments.ts";
import { HOUR_MS } from "#domain/units.ts";
import { ABANDONED_AFTER_MS, SILENT_START_MS } from "#domain/upload-lifetime.ts";
import type { ProtectionAtStart, SealAtStart } from "#domain/wire.ts";
import type { MultipartUpload } from "#durable-objects/shared/segments.ts";
import type { StartResult } from "#durable-objects/upload/results.ts";
import type { UploadPlan } from "#durable-objects/upload/state.ts";
import { findCurrentBilling, renewMonth } from "../billing/months.ts";
import { keyIdOf, newFileId, quotaHolderOf, type Caller } from "../callers/caller.ts";
import {
  quotaExceeded,
  checkPlan,
  checkTransferPlan,
  maxUnfinished,
  plainSize,
  tooManyUnfinished,
} from "../callers/check-plan.ts";
import { checkSiteKind, requestRefusal } from "../callers/request-bounds.ts";
import { sessionOf } from "../callers/sessions.ts";
import { findKeyRoom } from "../db/api-key-months.ts";
import { findBilling, type BillingRow } from "../db/billing.ts";
import type { FileSender } from "../db/request-room.ts";
import { isSuspended } from "../db/suspensions.ts";
import {
  type NewFile,
  releaseFile,
  withdrawFile,
  type Reservation,
  findExceededLimit,
  reserveFile,
} from "../db/uploads.ts";
import { storeProtection, type KeptProtection } from "../links/protection-at-start.ts";
import { logError } from "../log.ts";
import type { Services } from "../services.ts";
import { numberedPrefix, objectKey } from "../storage/keys.ts";
import type { StartKey } from "./start-key.ts";

/** How much longer than the upload's own alarm the cron waits. */
const CRON_GRACE_MS = HOUR_MS;

/** What every start of an upload gives, of a single file or of a transfer. */
export interface NewLink {
  lifetime: Lifetime;
  guards?: ProtectionAtStart | undefined;
  seal?: SealAtStart | undefined;
  /** Absent for the account's choice. */
  notify?: DownloadNotice | undefined;
  fingerprint?: string | null;
  startKey?: StartKey | null;
  /** Epoch milliseconds. */
  now: number;
}

/** The values of a start of a single file. */
export interface NewUpload extends NewLink {
  filename: string;
  /** The type that the sender named. */
  fileType: string;
  lastModified?: number | null;
  /** SHA-256 in hex, as the sender says. */
  sha256?: string | null;
  /** The protection of the link that this one replaces. Used if the start has none. */
  keptGuards?: KeptProtection | undefined;
  /** Null for a single PUT. */
  partSizeBytes: number | null;
  /** Null for an upload that does not come in chunks. */
  chunkSizeBytes: number | null;
  /** For an upload to which bytes are appended. `uploadTokenHash`: SHA-256 of the secret in its address. */
  appended?: Pick<NewFile, "uploadTokenHash" | "isOpenEnded" | "transferLabel" | "tusMetadata">;
  /** For bytes that are already in R2: the ids of the upload and of its multipart upload. */
  stored?: { id: string; r2UploadId: string | null };
}

export interface OpenedUpload {
  kind: "opened";
  file: NewFile;
  /** The multipart uploads that take the first parts; null for a single PUT. */
  uploads: MultipartUpload[] | null;
}

/** No upload was opened. `files` are the unfinished uploads of the same file, newest first. */
type Matching = Extract<Reservation, { kind: "matching" }>;

/**
 * Opens the upload of a single file. Leaves nothing behind on an error. @param rateLimit settles when the rate limit
 * has been checked @param onMatch "return" opens nothing if the owner has unfinished uploads of the same file @throws
 * AppError KIND_REFUSED, PLAN_LIMIT_EXCEEDED, RATE_LIMITED, STORAGE_UNAVAILABLE
 */
export function openUpload(
  services: Services,
  caller: Caller,
  upload: NewUpload,
  rateLimit?: Promise<void>,
): Promise<OpenedUpload>;
export function openUpload(
  services: Services,
  caller: Caller,
  upload: NewUpload,
  rateLimit: Promise<void>,
  onMatch: "return",
): Promise<OpenedUpload | Matching>;
export async function openUpload(
  services: Services,
  caller: Caller,
  upload: NewUpload,
  rateLimit = Promise.resolve(),
  onMatch: "return" | "reserve" = "reserve",
): Promise<OpenedUpload | Matching> {
  const { filename, fileType, seal, stored, lastModified = null, sha256 = null, keptGuards, appended } = upload;
  if (!seal) checkSiteKind(services.settings, filename);
  const id = stored?.id ?? newFileId(caller);
  const mimeType = seal ? SEALED_TYPE : mimeTypeOf(filename, fileType);
  const own = { id, filename, mimeType, ...storageOf(id, upload), lastModified, sha256, ...appended };
  const file = await newFile(services, caller, upload, own, keptGuards);
  const session = sessionOf(services, file);
  const opened = await startLink<StartResult>(services, caller, file, {
    rateLimit,
    onMatch,
    start: async () => session.start(uploadPlan(file, upload), stored?.r2UploadId ?? null, file.manifest),
    cancel: () => session.cancel(),
  });
  if (opened.kind === "matching") return opened;
  if (!opened.started.ok) throw new AppError("STORAGE_UNAVAILABLE");
  return { kind: "opened", file, uploads: opened.started.uploads };
}

/** Where the bytes of a single file will be. A large file whose size is known is stored in segments (decision 055). */
function storageOf(
  id: string,
  { lifetime: { sizeBytes }, partSizeBytes, stored, appended }: NewUpload,
): Pick<NewFile, "s3Key" | "layout" | "objectCount" | "etag"> {
  const isInParts = partSizeBytes !== null && stored === undefined;
  const isSizeKnown = appended?.isOpenEnded !== true;
  if (!isInParts || !isSizeKnown || sizeBytes < SEGMENTED_FROM_BYTES)
    return { s3Key: objectKey(id), layout: null, objectCount: 0, etag: null };
  const layout = layOutSegments(sizeBytes, { partSizeBytes, partCount: Math.ceil(sizeBytes / partSizeBytes) });
  const etag = crypto.randomUUID().replaceAll("-", "");
  return { s3Key: numberedPrefix(id), layout, objectCount: objectSizes(layout).length, etag };
}

interface LinkStart<Started> {
  /** Settles when the rate limit has been checked. */
  rateLimit: Promise<void>;
  onMatch: "return" | "reserve";
  /** Starts the upload's session. */
  start(): Promise<Started>;
  cancel(): Promise<unknown>;
}

/**
 * Checks the rate limit, reserves the quota and starts the session in parallel. If one fails, undoes the others.
 * @returns what the session answered, also a rejection, after which nothing is left
 */
export async function startLink<Started extends { ok: true } | { ok: false; code: string }>(
  services: Services,
  caller: Caller,
  file: NewFile,
  { rateLimit, onMatch, start, cancel }: LinkStart<Started>,
): Promise<{ kind: "opened"; started: Started } | Matching> {
  const [limit, reservation, starting] = await Promise.allSettled([
    rateLimit,
    reserveQuota(services, { caller, file, onMatch }),
    start(),
  ]);
  const isAllowed = limit.status === "fulfilled";
  const isReserved = reservation.status === "fulfilled" && reservation.value.kind === "reserved";
  const started = starting.status === "fulfilled" ? starting.value : null;
  if (isAllowed && isReserved && started?.ok) return { kind: "opened", started };

  if (starting.status === "rejected") logError("upload.start_failed", starting.reason, { uploadId: file.id });
  if (isReserved) {
    const isRefused = !isAllowed || (started?.ok === false && started.code !== "STORAGE_UNAVAILABLE");
    if (isRefused) await withdrawFile(services.db, file.id);
    else await releaseFile(services.db, file.id, "failed", "STORAGE_UNAVAILABLE");
  }
  // If the session cannot be reached, its own alarm ends the upload as abandoned.
  if (started) await cancel().catch(() => undefined);

  if (!isAllowed) throw limit.reason;
  if (reservation.status === "rejected") throw reservation.reason;
  if (reservation.value.kind === "matching") return reservation.value;
  if (started) return { kind: "opened", started };
  throw new AppError("STORAGE_UNAVAILABLE");
}

type OwnColumns = Partial<NewFile> & Pick<NewFile, "id" | "filename" | "mimeType" | "s3Key">;

/** The row of a new link. @param own columns in which this kind of upload differs from a plain file */
export async function newFile(
  services: Services,
  caller: Caller,
  link: NewLink,
  own: OwnColumns,
  keptGuards?: KeptProtection,
): Promise<NewFile> {
  const { lifetime, notify = null, fingerprint = null, startKey = null, now } = link;
  return {
    userId: quotaHolderOf(caller),
    uploadTokenHash: "tokenHash" in caller ? caller.tokenHash : null,
    apiKeyId: keyIdOf(caller),
    startKey: startKey?.key ?? null,
    startDigest: startKey?.digest ?? null,
    downloadId: newLinkToken(shardOfRowId(own.id)),
    lifetime,
    layout: null,
    objectCount: 0,
    etag: null,
    lastModified: null,
    fingerprint,
    sha256: null,
    entryCount: null,
    message: null,
    notify,
    isOpenEnded: false,
    transferLabel: null,
    tusMetadata: null,
    sender: senderOf(caller),
    createdAt: now,
    abandonAt: now + (caller.kind === "sender" ? SILENT_START_MS : ABANDONED_AFTER_MS) + CRON_GRACE_MS,
    ...(await storeProtection(services, link, keptGuards)),
    ...own,
  };
}

function senderOf(caller: Caller): FileSender | null {
  if (caller.kind !== "sender") return null;
  const { id: fileRequestId, network, sender } = caller.request;
  return { fileRequestId, network, name: null, email: null, note: null, ...sender };
}

function uploadPlan(file: NewFile, { partSizeBytes, chunkSizeBytes, appended }: NewUpload): UploadPlan {
  const { id: fileId, filename, mimeType: contentType, lifetime, etag } = file;
  return {
    fileId,
    filename,
    contentType,
    lifetime,
    partSizeBytes,
    chunkSizeBytes,
    isSealed: file.seal !== null,
    isAppended: appended !== undefined,
    ...(file.sender !== null && { isThroughRequest: true }),
    ...(file.isOpenEnded && { isOpenEnded: true }),
    ...(etag !== null && { etag }),
  };
}

/**
 * Finds out whether the key that started an upload is why a reservation was refused. It may have ended after it was
 * checked. A person may go on with what a key has started: an ended key has no room then, since a 401 would ask the
 * person to sign in. @param apiKeyId null for an upload that a person has started @param bytes that were to be reserved
 * @param now epoch milliseconds @throws AppError KEY_INVALID, KEY_LIMIT
 */
export async function requireKeyRoom(
  { db }: Services,
  { kind }: Pick<Caller, "kind">,
  apiKeyId: string | null,
  bytes: number,
  now: number,
): Promise<void> {
  if (apiKeyId === null) return;
  const room = await findKeyRoom(db, apiKeyId, now);
  if (room === null && kind === "key") throw new AppError("KEY_INVALID");
  if (bytes > (room ?? 0)) throw new AppError("KEY_LIMIT");
}

/**
 * Refuses an upload before its bytes come if the reservation would refuse it afterwards. The reservation decides.
 * @param sizeBytes of the upload; 0 if unknown @param now epoch milliseconds @throws AppError PLAN_LIMIT_EXCEEDED,
 * KEY_LIMIT, KEY_INVALID; for a sender REQUEST_FULL, without details of the owner's month
 */
export async function checkMonth(
  services: Services,
  caller: Caller,
  sizeBytes: number,
  isTransfer: boolean,
  now: number,
): Promise<void> {
  if (caller.kind === "visitor") return;
  const { userId, plan } = caller;
  const [month] = await Promise.all([
    findCurrentBilling(services, userId, now),
    requireKeyRoom(services, caller, keyIdOf(caller), sizeBytes, now),
  ]);
  const { monthBytes, monthTransfers } = limitFor(plan);
  if (month === null || (month.transfers < monthTransfers && month.bytes + sizeBytes <= monthBytes)) return;
  if (caller.kind === "sender") throw await requestRefusal(services, caller.request, sizeBytes, now);
  throw quotaExceeded(plan, sizeBytes, month, isTransfer);
}

type SuccessfulReservation = Exclude<Reservation, { kind: "over-limit" }>;

interface QuotaRequest {
  caller: Caller;
  file: NewFile;
  /** What to do if the owner has unfinished uploads of the same file. */
  onMatch: "return" | "reserve";
}

/**
 * Reserves quota. Begins a new month first if the stored one has ended.
 * @throws AppError PLAN_LIMIT_EXCEEDED, KEY_LIMIT, KEY_INVALID, RATE_LIMITED, ACCOUNT_SUSPENDED, REQUEST_CLOSED
 */
async function reserveQuota(services: Services, request: QuotaRequest): Promise<SuccessfulReservation> {
  try {
    return await reserve(services, request);
  } catch (error) {
    // After a database error the reservation may still have been committed.
    if (!(error instanceof AppError)) await releaseFile(services.db, request.file.id, "failed", "STORAGE_UNAVAILABLE");
    throw error;
  }
}

async function reserve(services: Services, { caller, file, onMatch }: QuotaRequest): Promise<SuccessfulReservation> {
  const { db } = services;
  const tryAs = (who: Caller) => {
    const bounds = { limits: limitFor(who.plan), maxUnfinished: maxUnfinished(services, who) };
    return reserveFile(db, { file, caller, ...bounds, onMatch });
  };
  const first = await tryAs(caller);
  if (first.kind !== "over-limit") return first;
  const { userId } = file;
  if (userId !== null && (await isSuspended(db, userId))) {
    throw new AppError(caller.kind === "sender" ? "REQUEST_CLOSED" : "ACCOUNT_SUSPENDED");
  }
  const max = maxUnfinished(services, caller);
  const exceeded = userId === null ? null : await findExceededLimit(db, { ...file, userId }, max);
  if (exceeded !== null) throw tooManyUnfinished(exceeded);
  const billing = userId === null ? null : await findBilling(db, userId);
  if (!billing || billing.periodEnd.getTime() > file.createdAt) {
    throw await overLimit(services, caller, file, billing);
  }
  await renewMonth(services, billing, file.createdAt);
  const renewed = await findBilling(db, billing.userId);
  const renewedCaller = { ...caller, plan: renewed?.planType ?? caller.plan };
  const { lifetime, seal, entryCount } = file;
  if (entryCount !== null) checkTransferPlan(renewedCaller, lifetime.expiration, entryCount);
  else checkPlan(renewedCaller, { ...lifetime, sizeBytes: plainSize(lifetime.sizeBytes, seal !== null) });
  const second = await tryAs(renewedCaller);
  if (second.kind !== "over-limit") return second;
  throw await overLimit(services, renewedCaller, file, renewed);
}

/** @returns why a request, a key or a month has no room @throws AppError KEY_INVALID, KEY_LIMIT */
async function overLimit(
  services: Services,
  caller: Caller,
  file: NewFile,
  billing: BillingRow | null,
): Promise<AppError> {
  const { sizeBytes } = file.lifetime;
  if (caller.kind === "sender") return requestRefusal(services, caller.request, sizeBytes, file.createdAt);
  await requireKeyRoom(services, caller, file.apiKeyId, sizeBytes, file.createdAt);
  return quotaExceeded(caller.plan, sizeBytes, billing, file.entryCount !== null);
}
