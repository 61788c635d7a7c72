import { hasRunOut } from "#domain/api-keys.ts";
import { AppError } from "#domain/errors.ts";
import { isExpired } from "#domain/expiry.ts";
import { appendRequest } from "#durable-objects/append-request.ts";
import type { Append } from "#durable-objects/appender.ts";
import type { AppendResult } from "#durable-objects/upload-results.ts";
import { hashToken } from "../accounts/tokens.ts";
import type { RequestContext } from "../context.ts";
import { findTusUpload, type TusUpload } from "../db/tus-uploads.ts";
import { shareUrl } from "../links.ts";
import type { Services } from "../services.ts";
import { sessionOf } from "../uploads/sessions.ts";
import { deliverFirst } from "../webhooks/deliver.ts";
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
  filename: string;
  mimeType: string;
  link: string;
}

/**
 * An upload by its address alone, as long as the key lives that started it. @param now epoch milliseconds
 * @throws AppError FILE_NOT_FOUND, RATE_LIMITED for unknown addresses, KEY_INVALID, UPLOAD_GONE
 */
export async function openTus(
  context: RequestContext,
  { id, secret }: { id: string; secret: string },
  now: number,
): Promise<TusFile> {
  const found = await findTusUpload(context.services.db, id, await hashToken(secret));
  if (!found) {
    await context.enforceRateLimit("unknownDownload");
    throw new AppError("FILE_NOT_FOUND");
  }
  if (!isKeyAlive(found, now)) throw new AppError("KEY_INVALID");
  const { file, key } = found;
  const isOpen = file.status === "uploading" || file.status === "ready";
  if (!isOpen || file.deletedAt || isExpired(file.expiresAt?.getTime() ?? null, now)) throw new AppError("UPLOAD_GONE");
  return { ...file, apiKey: key };
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
export interface TusBytes extends Omit<Append, "room"> {
  /** Of the body, in bytes; null where it is not known. */
  length: number | null;
  /** How much will come in all, in bytes: told later, of an upload that was started without a size. */
  declared: number | null;
}

/**
 * Adds bytes, and completes the upload after the last one. Takes over from a request that is at work.
 * @param now epoch milliseconds
 * @throws AppError OFFSET_CONFLICT, BODY_TOO_LARGE, CHECKSUM_MISMATCH, OBJECT_MISMATCH, STORAGE_UNAVAILABLE, UPLOAD_GONE;
 * for an upload without a size also LENGTH_REQUIRED, BAD_REQUEST, PLAN_LIMIT_EXCEEDED, KEY_LIMIT and FILE_TOO_LARGE
 */
export async function appendTus(
  services: Services,
  file: TusFile,
  { length, declared, ...append }: TusBytes,
  now: number,
): Promise<TusState> {
  const sizeBytes = file.isOpenEnded && file.status === "uploading" ? declared : file.size;
  if (sizeBytes !== null && append.offset + (length ?? 0) > sizeBytes) {
    const message = `This upload has ${sizeBytes} bytes: ${length ?? 0} more from ${append.offset} on do not fit.`;
    throw new AppError("BODY_TOO_LARGE", { message });
  }
  if (file.status === "ready") {
    if (append.offset !== file.size) throw new AppError("OFFSET_CONFLICT");
    return readTus(services, file);
  }
  const room = file.isOpenEnded
    ? await makeRoom(services, file, { offset: append.offset, length, declared }, now)
    : null;
  const response = await sessionOf(services, file).fetch(appendRequest(room === null ? append : { ...append, room }));
  const appended = requireAppended(await response.json<AppendResult>());
  deliverFirst(services, file.id, appended);
  return stateOf(services, file, appended);
}

function stateOf(
  { settings }: Services,
  file: TusFile,
  { offset, expiresAt, sizeBytes }: Pick<TusState, "offset" | "expiresAt" | "sizeBytes">,
): TusState {
  const { filename, mimeType } = file;
  return { offset, expiresAt, sizeBytes, filename, mimeType, link: shareUrl(settings, file.downloadId) };
}
