import { hasRunOut } from "#domain/api-keys.ts";
import { AppError } from "#domain/errors.ts";
import { isExpired } from "#domain/expiry.ts";
import { appendRequest, type Append } from "#durable-objects/upload/appender.ts";
import type { AppendResult } from "#durable-objects/upload/results.ts";
import { callerNetwork } from "#domain/ip-address.ts";
import { addressOf, type RequestContext } from "../context.ts";
import { findFileById } from "../db/files.ts";
import { findTusUpload, type TusUpload } from "../db/tus-uploads.ts";
import { tellOfReceived } from "../feed/tell.ts";
import { shareUrl } from "../urls.ts";
import { logError } from "../log.ts";
import type { SentBody } from "../sending/sent-body.ts";
import type { Services } from "../services.ts";
import { sessionOf } from "../callers/sessions.ts";
import type { UploaderRequest } from "../callers/uploader.ts";
import { deliverFirst } from "../webhooks/deliver.ts";
import { addressHash } from "./address-hash.ts";
import { requireAppended } from "./appended.ts";
import { makeRoom } from "./make-room.ts";
import type { TusFile } from "./start-tus.ts";

export interface TusState {
  /** Where the next byte belongs. */
  offset: number;
  /** Null as long as its sender has not said it. */
  sizeBytes: number | null;
  /** Until when it has to come, in epoch milliseconds; null once none is missing. */
  expiresAt: number | null;
  /** As it came, without a password. */
  metadata: string;
  /** Null for a sender through an upload request, who never gets one. */
  link: string | null;
}

/**
 * An upload by its address: one of a key by the address alone, as long as the key lives, and one into an upload request
 * with the request's token, also when the request has ended.
 * @param requestToken null where the caller has none @param now epoch milliseconds
 * @throws AppError FILE_NOT_FOUND, RATE_LIMITED for unknown addresses, KEY_INVALID, UPLOAD_GONE
 */
export async function openTus(
  context: RequestContext,
  { id, secret }: { id: string; secret: string },
  requestToken: string | null,
  now: number,
): Promise<TusFile> {
  const tokens = requestToken === null ? [null] : [null, requestToken];
  const hashes = await Promise.all(tokens.map((token) => addressHash(secret, token)));
  const found = await findTusUpload(context.services.db, id, hashes);
  if (!found) {
    await context.enforceRateLimit("unknownDownload");
    throw new AppError("FILE_NOT_FOUND");
  }
  const { file, key, ownerDeletedAt } = found;
  if (file.requestId === null && !isKeyAlive(found, now)) throw new AppError("KEY_INVALID");
  const isOpen = file.status === "uploading" || file.status === "ready";
  const hasEnded = !isOpen || file.deletedAt !== null || ownerDeletedAt !== null;
  if (hasEnded || isExpired(file.expiresAt?.getTime() ?? null, now)) throw new AppError("UPLOAD_GONE");
  return { ...file, apiKey: key, request: requestOf(found, context) };
}

function requestOf({ file, request }: TusUpload, context: RequestContext): UploaderRequest | null {
  if (file.requestId === null) return null;
  const { mostFileBytes = null, kinds = null } = request ?? {};
  return { id: file.requestId, mostFileBytes, kinds, network: callerNetwork(addressOf(context.request)), sender: null };
}

function isKeyAlive({ key, ownerDeletedAt }: TusUpload, now: number): boolean {
  if (!key || key.revokedAt || ownerDeletedAt) return false;
  return !hasRunOut(key.expiresAt?.getTime() ?? null, now);
}

/** Takes over from a request that is at work. @throws AppError UPLOAD_GONE */
export async function readTus(services: Services, file: TusFile): Promise<TusState> {
  if (file.status === "ready") {
    return stateOf(services, file, { offset: file.size, expiresAt: null, sizeBytes: file.size });
  }
  return stateOf(services, file, requireAppended(await sessionOf(services, file).takeOver()));
}

/** What a request brings. */
export interface TusBytes extends Omit<Append, "room" | "body"> {
  body: SentBody | null;
  /** Of the body, in bytes; null where it is not known. */
  length: number | null;
  /** How much will come in all, in bytes: told later, of an upload that was started without a size. */
  declared: number | null;
}

/**
 * Adds bytes, and completes the upload after the last one. Takes over from a request that is at work.
 * @param now epoch milliseconds
 * @throws AppError OFFSET_CONFLICT, BODY_TOO_LARGE, CHECKSUM_MISMATCH, OBJECT_MISMATCH, STORAGE_UNAVAILABLE, UPLOAD_GONE;
 * for an upload without a size also LENGTH_REQUIRED, BAD_REQUEST, PLAN_LIMIT_EXCEEDED, KEY_LIMIT, REQUEST_FULL and
 * FILE_TOO_LARGE
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
  deliverFirst(services, file.id, appended);
  if (file.request !== null && appended.expiresAt === null) services.waitUntil(tellOfArrival(services, file.id, now));
  return stateOf(services, file, appended);
}

function stateOf(
  { settings }: Services,
  file: TusFile,
  { offset, expiresAt, sizeBytes }: Pick<TusState, "offset" | "expiresAt" | "sizeBytes">,
): TusState {
  const { tusMetadata, request, downloadId } = file;
  const link = request === null ? shareUrl(settings, downloadId) : null;
  return { offset, expiresAt, sizeBytes, metadata: tusMetadata ?? "", link };
}

/** Of what is whole and complete. */
async function tellOfArrival(services: Services, id: string, now: number): Promise<void> {
  try {
    const file = await findFileById(services.db, id);
    if (file?.status === "ready") tellOfReceived(services, file, "arrived", now);
  } catch (error) {
    logError("feed.not_told", error, { uploadId: id });
  }
}
