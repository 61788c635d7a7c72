import { hasRunOut } from "#domain/api-keys.ts";
import { AppError } from "#domain/errors.ts";
import { isExpired } from "#domain/expiry.ts";
import { callerNetwork } from "#domain/ip-address.ts";
import { limitFor } from "#domain/plans.ts";
import { ROOM_STEP_BYTES } from "#domain/tus.ts";
import { appendRequest, type Append, type Room } from "#durable-objects/upload/appender.ts";
import type { AppendResult } from "#durable-objects/upload/results.ts";
import { checkSize, quotaExceeded, type Bound } from "../callers/check-plan.ts";
import { requestRefusal } from "../callers/request-bounds.ts";
import { sessionOf, toAppError, endUpload } from "../callers/sessions.ts";
import { ipOf, type RequestContext } from "../context.ts";
import { findBilling, type BillingRow } from "../db/billing.ts";
import { findFileById, type FileRow } from "../db/files.ts";
import { growUpload } from "../db/growth.ts";
import { findTusUpload, type TusUpload } from "../db/tus-uploads.ts";
import { localizedError } from "../errors/translate-error.ts";
import { tellOfReceived } from "../feed/tell.ts";
import { logError } from "../log.ts";
import type { SentBody } from "../sending/sent-body.ts";
import type { Services } from "../services.ts";
import { requireKeyRoom } from "../uploads/open-upload.ts";
import { shareUrl } from "../urls.ts";
import { uploadSecretHash, type TusFile } from "./start-tus.ts";

export interface TusState {
  /** The offset of the next byte. */
  offset: number;
  /** Null until the sender says the size. */
  sizeBytes: number | null;
  /** When the upload is abandoned if no byte comes, in epoch milliseconds; null once no byte is missing. */
  expiresAt: number | null;
  /** The header `Upload-Metadata` as it came, without a password. */
  metadata: string;
  /** The link to share. Null for a sender through an upload request, who never gets the link. */
  link: string | null;
}

/**
 * Finds an upload by its address. For an upload that was started with an API key, its address is enough, until the key
 * ends. For an upload into a request, the request's token is needed, too, even after the request has ended.
 * @param requestToken the token of an upload request; null if the caller has none
 * @param now epoch milliseconds
 * @throws AppError FILE_NOT_FOUND, RATE_LIMITED for unknown addresses, KEY_INVALID, UPLOAD_GONE
 */
export async function openTus(
  context: RequestContext,
  { id, secret }: { id: string; secret: string },
  requestToken: string | null,
  now: number,
): Promise<TusFile> {
  const tokens = requestToken === null ? [null] : [null, requestToken];
  const hashes = await Promise.all(tokens.map((token) => uploadSecretHash(secret, token)));
  const found = await findTusUpload(context.services.db, id, hashes);
  if (!found) {
    await context.enforceRateLimit("unknownDownload");
    throw new AppError("FILE_NOT_FOUND");
  }
  const { file, ownerDeletedAt } = found;
  const bound = boundOf(found, context, now);
  const isOpen = file.status === "uploading" || file.status === "ready";
  const hasEnded = !isOpen || file.deletedAt !== null || ownerDeletedAt !== null;
  if (hasEnded || isExpired(file.expiresAt?.getTime() ?? null, now)) throw new AppError("UPLOAD_GONE");
  return { ...file, bound };
}

/** @throws AppError KEY_INVALID once the key that started the upload has ended */
function boundOf({ file, key, request, ownerDeletedAt }: TusUpload, context: RequestContext, now: number): Bound {
  if (file.fileRequestId !== null) {
    const { mostFileBytes = null, kinds = null } = request ?? {};
    const network = callerNetwork(ipOf(context.request));
    return { kind: "sender", request: { id: file.fileRequestId, mostFileBytes, kinds, network, sender: null } };
  }
  const isAlive = key && !key.revokedAt && !ownerDeletedAt && !hasRunOut(key.expiresAt?.getTime() ?? null, now);
  if (!isAlive) throw new AppError("KEY_INVALID");
  return { kind: "key", key };
}

/** Reads the state of an upload. Stops a request that is sending bytes to it. @throws AppError UPLOAD_GONE */
export async function readTus(services: Services, file: TusFile): Promise<TusState> {
  if (file.status === "ready") {
    return stateOf(services, file, { offset: file.size, expiresAt: null, sizeBytes: file.size });
  }
  return stateOf(services, file, requireAppended(await sessionOf(services, file).takeOver()));
}

/** The body of a PATCH, with the values of its headers. */
export interface TusBytes extends Omit<Append, "room" | "body"> {
  body: SentBody | null;
  /** The length of the body, in bytes; null if unknown. */
  length: number | null;
  /** The size of the whole upload in bytes, if the upload started without a size and this request gives it. */
  declared: number | null;
}

/**
 * Adds bytes to an upload, and completes the upload after the last byte. Stops an earlier request that is still sending
 * bytes.
 * @param now epoch milliseconds
 * @throws AppError OFFSET_CONFLICT, BODY_TOO_LARGE, CHECKSUM_MISMATCH, OBJECT_MISMATCH, STORAGE_UNAVAILABLE,
 * UPLOAD_GONE; for an upload without a size also LENGTH_REQUIRED, BAD_REQUEST, PLAN_LIMIT_EXCEEDED, KEY_LIMIT,
 * REQUEST_FULL and FILE_TOO_LARGE
 */
export async function appendTus(
  services: Services,
  file: TusFile,
  { offset, body, checksum, length, declared }: TusBytes,
  now: number,
): Promise<TusState> {
  const sizeBytes = file.isOpenEnded && file.status === "uploading" ? declared : file.size;
  const isTooLong = sizeBytes !== null && offset + (length ?? 0) > sizeBytes;
  if (isTooLong || file.status === "ready") {
    const state = await readTus(services, file);
    if (state.offset !== offset) throw new AppError("OFFSET_CONFLICT");
    if (!isTooLong) return state;
    const message = `This upload has ${sizeBytes} bytes: ${length ?? 0} more from ${offset} on do not fit.`;
    throw new AppError("BODY_TOO_LARGE", { message });
  }
  const room = file.isOpenEnded ? await makeRoom(services, file, { offset, length, declared }, now) : null;
  const append = { offset, body: body?.handOn() ?? null, checksum, ...(room !== null && { room }) };
  const response = await sessionOf(services, file).fetch(appendRequest(append));
  const appended = requireAppended(await response.json<AppendResult>());
  if (file.bound.kind === "sender" && appended.expiresAt === null)
    services.waitUntil(tellOfArrival(services, file.id, now));
  return stateOf(services, file, appended);
}

function stateOf(
  { settings }: Services,
  file: TusFile,
  { offset, expiresAt, sizeBytes }: Pick<TusState, "offset" | "expiresAt" | "sizeBytes">,
): TusState {
  const { tusMetadata, bound, downloadId } = file;
  const link = bound.kind === "key" ? shareUrl(settings, downloadId) : null;
  return { offset, expiresAt, sizeBytes, metadata: tusMetadata ?? "", link };
}

/** Tells the account's feed that an upload is complete. */
async function tellOfArrival(services: Services, id: string, now: number): Promise<void> {
  try {
    const file = await findFileById(services.db, id);
    if (file?.status === "ready") tellOfReceived(services, file, "arrived", now);
  } catch (error) {
    logError("feed.not_told", error, { uploadId: id });
  }
}

/** The bytes that a request wants to store. */
interface Wanted {
  offset: number;
  /** The length of the request's body in bytes; null if unknown. */
  length: number | null;
  /** The size of the whole upload; null if the sender does not say the size. */
  declared: number | null;
}

/**
 * Reserves the bytes that a request needs for an upload that was started without a size. If plan, month, key or upload
 * request have no room, the upload ends, and everything that was reserved for it is given back.
 * @param now epoch milliseconds
 * @throws AppError LENGTH_REQUIRED, OFFSET_CONFLICT, UPLOAD_GONE; PLAN_LIMIT_EXCEEDED, KEY_LIMIT, KEY_INVALID,
 * REQUEST_FULL and FILE_TOO_LARGE end the upload
 */
async function makeRoom(services: Services, file: TusFile, wanted: Wanted, now: number): Promise<Room> {
  const { offset, length, declared } = wanted;
  if (length === null) {
    const message = "A request to an upload without a size says its own: send Content-Length.";
    throw new AppError("LENGTH_REQUIRED", { message });
  }
  const neededBytes = declared ?? offset + length;
  const asItIs = { reserved: file.size, declared };
  if (neededBytes <= file.size) return asItIs;
  const position = requireAppended(await sessionOf(services, file).takeOver());
  if (position.offset !== offset) throw new AppError("OFFSET_CONFLICT");
  // An earlier request has given the size. The session compares it with the size in this request.
  if (position.sizeBytes !== null) return asItIs;
  try {
    return { reserved: await grow(services, file, neededBytes, declared !== null, now), declared };
  } catch (error) {
    await endTus(services, file).catch((failure: unknown) =>
      logError("upload.end_failed", failure, { uploadId: file.id }),
    );
    throw error;
  }
}

/**
 * Reserves more bytes.
 * @param isExact whether the upload will need no more bytes
 * @returns how many bytes are reserved in all
 */
async function grow(
  services: Services,
  file: TusFile,
  neededBytes: number,
  isExact: boolean,
  now: number,
): Promise<number> {
  const { db } = services;
  const row = await findFileById(db, file.id);
  const billing = row?.userId ? await findBilling(db, row.userId) : null;
  if (!row || !billing) throw new AppError("UPLOAD_GONE");
  const { bound } = file;
  checkSize({ ...bound, plan: billing.planType }, neededBytes);
  const limits = limitFor(billing.planType);
  const most = bound.kind === "key" ? bound.key.largestFileBytes : bound.request.mostFileBytes;
  const mostBytes = Math.min(limits.fileSizeBytes, most ?? Infinity);
  const stepBytes = Math.min(mostBytes, Math.ceil(neededBytes / ROOM_STEP_BYTES) * ROOM_STEP_BYTES);
  // Tries a whole step first, and after that only what this request needs: a month that has no room for a step may have
  // room for the request.
  for (const bytes of new Set([isExact ? neededBytes : stepBytes, neededBytes])) {
    const outcome = await growUpload(db, file.id, { bytes, entries: 0 }, limits, now);
    if (outcome === "grown") return bytes;
    if (outcome === "ended") throw new AppError("UPLOAD_GONE");
  }
  if (bound.kind === "sender") throw await requestRefusal(services, bound.request, neededBytes - row.size, now);
  await requireKeyRoom(services, bound, row.apiKeyId, neededBytes - row.size, now);
  throw monthIsFull(row, billing, neededBytes, now);
}

function monthIsFull(row: FileRow, billing: BillingRow, neededBytes: number, now: number): AppError {
  const { planType, bytes, periodStart, periodEnd } = billing;
  const hasBegunSinceStart = periodStart.getTime() !== row.reservedPeriodStart.getTime() || periodEnd.getTime() <= now;
  if (hasBegunSinceStart) {
    return localizedError("PLAN_LIMIT_EXCEEDED", "sizeInNextMonth", {}, { planLimitExceeded: true });
  }
  return quotaExceeded(planType, neededBytes, { bytes: bytes - row.size, transfers: 0 }, false);
}

/** @throws AppError UPLOAD_GONE for an upload that has ended, and the session's other errors */
function requireAppended(result: AppendResult): Extract<AppendResult, { ok: true }> {
  if (result.ok) return result;
  if (result.code === "NO_UPLOAD" || result.code === "UPLOAD_CLOSED") throw new AppError("UPLOAD_GONE");
  throw toAppError(result);
}

/**
 * Ends an upload that is not complete yet, and gives its quota back.
 * @throws AppError UPLOAD_FINISHED, STORAGE_UNAVAILABLE
 */
export async function endTus(services: Services, file: TusFile): Promise<void> {
  if (file.status === "ready") throw new AppError("UPLOAD_FINISHED");
  await endUpload(services, file);
  tellOfReceived(services, file, "ended", Date.now());
}
