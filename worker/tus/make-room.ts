import { AppError } from "#domain/errors.ts";
import { limitFor } from "#domain/plans.ts";
import { ROOM_STEP_BYTES } from "#domain/tus.ts";
import type { Room } from "#durable-objects/upload/appender.ts";
import { findBilling, type BillingRow } from "../db/billing.ts";
import { findFileById, type FileRow } from "../db/files.ts";
import { growUpload } from "../db/growth.ts";
import { localizedError } from "../errors/translate-error.ts";
import { logError } from "../log.ts";
import { requestRefusal } from "../callers/request-bounds.ts";
import type { Services } from "../services.ts";
import { requireKeyRoom } from "../uploads/check-key.ts";
import { checkSize, quotaExceeded } from "../callers/check-plan.ts";
import { sessionOf } from "../callers/sessions.ts";
import { requireAppended } from "./appended.ts";
import { endTus } from "./end-tus.ts";
import type { TusFile } from "./start-tus.ts";

/** Of a request, in bytes. */
interface Wanted {
  offset: number;
  /** Of the body; null where it is not known. */
  length: number | null;
  /** How much will come in all; null as long as the sender does not say. */
  declared: number | null;
}

/**
 * Reserves what a request needs of an upload that was started without a size. Where plan, month, key or upload request
 * have no room, the upload ends, and all that was reserved for it is given back.
 * @param now epoch milliseconds
 * @throws AppError LENGTH_REQUIRED, OFFSET_CONFLICT, UPLOAD_GONE; PLAN_LIMIT_EXCEEDED, KEY_LIMIT, KEY_INVALID,
 *   REQUEST_FULL and FILE_TOO_LARGE end it
 */
export async function makeRoom(services: Services, file: TusFile, wanted: Wanted, now: number): Promise<Room> {
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
  // The sender has said the size before, and the session compares.
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

/** @param isExact nothing more will be needed @returns bytes that are reserved now */
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
  const { apiKey, request } = file;
  checkSize({ plan: billing.planType, apiKey, request }, neededBytes);
  const limits = limitFor(billing.planType);
  const mostOfFile = [limits.fileSizeBytes, apiKey?.largestFileBytes ?? Infinity, request?.mostFileBytes ?? Infinity];
  const mostBytes = Math.min(...mostOfFile);
  const stepBytes = Math.min(mostBytes, Math.ceil(neededBytes / ROOM_STEP_BYTES) * ROOM_STEP_BYTES);
  // A month that has no room for a step may have room for this request.
  for (const bytes of new Set([isExact ? neededBytes : stepBytes, neededBytes])) {
    const outcome = await growUpload(db, file.id, { bytes, entries: 0 }, limits, now);
    if (outcome === "grown") return bytes;
    if (outcome === "ended") throw new AppError("UPLOAD_GONE");
  }
  if (request !== null) throw await requestRefusal(services, request, neededBytes - row.size, now);
  await requireKeyRoom(services, file, row.apiKeyId, neededBytes - row.size, now);
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
