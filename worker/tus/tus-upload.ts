import { hasRunOut } from "#domain/api-keys.ts";
import { AppError } from "#domain/errors.ts";
import { isExpired } from "#domain/expiry.ts";
import { appendRequest } from "#durable-objects/append-request.ts";
import type { Append } from "#durable-objects/appender.ts";
import type { AppendResult } from "#durable-objects/upload-results.ts";
import { hashToken } from "../accounts/tokens.ts";
import type { RequestContext } from "../context.ts";
import { findTusUpload, type TusUpload } from "../db/tus-uploads.ts";
import { releaseFile } from "../db/uploads.ts";
import { shareUrl } from "../links.ts";
import type { Services } from "../services.ts";
import { sessionOf, toAppError } from "../uploads/sessions.ts";
import { deliverFirst } from "../webhooks/deliver.ts";
import type { TusFile } from "./start-tus.ts";

export interface TusState {
  /** Where the next byte belongs. */
  offset: number;
  sizeBytes: number;
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
  const { file } = found;
  const isOpen = file.status === "uploading" || file.status === "ready";
  if (!isOpen || file.deletedAt || isExpired(file.expiresAt?.getTime() ?? null, now)) throw new AppError("UPLOAD_GONE");
  return file;
}

function isKeyAlive({ key, ownerDeletedAt }: TusUpload, now: number): boolean {
  if (!key || key.revokedAt || ownerDeletedAt) return false;
  return !hasRunOut(key.expiresAt?.getTime() ?? null, now);
}

/** Takes over from a request that is at work. @throws AppError UPLOAD_GONE */
export async function readTus(services: Services, file: TusFile): Promise<TusState> {
  if (file.status === "ready") return stateOf(services, file, { offset: file.size, expiresAt: null });
  return stateOf(services, file, requireAppended(await sessionOf(services, file).takeOver()));
}

/**
 * Adds bytes, and completes the upload after the last one. Takes over from a request that is at work.
 * @param length of the body in bytes, where it is known
 * @throws AppError OFFSET_CONFLICT, BODY_TOO_LARGE, CHECKSUM_MISMATCH, OBJECT_MISMATCH, STORAGE_UNAVAILABLE, UPLOAD_GONE
 */
export async function appendTus(
  services: Services,
  file: TusFile,
  append: Append,
  length: number | null,
): Promise<TusState> {
  if (append.offset + (length ?? 0) > file.size) {
    const message = `This upload has ${file.size} bytes: ${length ?? 0} more from ${append.offset} on do not fit.`;
    throw new AppError("BODY_TOO_LARGE", { message });
  }
  if (file.status === "ready") {
    if (append.offset !== file.size) throw new AppError("OFFSET_CONFLICT");
    return readTus(services, file);
  }
  const response = await sessionOf(services, file).fetch(appendRequest(append));
  const appended = requireAppended(await response.json<AppendResult>());
  deliverFirst(services, file.id, appended);
  return stateOf(services, file, appended);
}

/** Ends an upload that is not whole yet, and gives its quota back. @throws AppError UPLOAD_FINISHED, STORAGE_UNAVAILABLE */
export async function endTus(services: Services, file: TusFile): Promise<void> {
  if (file.status === "ready") throw new AppError("UPLOAD_FINISHED");
  const result = await sessionOf(services, file).cancel();
  if (result.ok) return;
  if (result.code !== "NO_UPLOAD") throw toAppError(result);
  await releaseFile(services.db, file.id, "cancelled", "CANCELLED");
}

/** @throws AppError UPLOAD_GONE for an upload that has ended, and what else the session refuses */
function requireAppended(result: AppendResult): Extract<AppendResult, { ok: true }> {
  if (result.ok) return result;
  if (result.code === "NO_UPLOAD" || result.code === "UPLOAD_CLOSED") throw new AppError("UPLOAD_GONE");
  throw toAppError(result);
}

function stateOf(
  { settings }: Services,
  file: TusFile,
  { offset, expiresAt }: Pick<TusState, "offset" | "expiresAt">,
): TusState {
  const { filename, mimeType, size: sizeBytes } = file;
  return { offset, expiresAt, sizeBytes, filename, mimeType, link: shareUrl(settings, file.downloadId) };
}
