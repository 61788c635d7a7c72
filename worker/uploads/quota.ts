import { AppError } from "#domain/errors.ts";
import { findKeyRoom } from "../db/api-key-months.ts";
import type { Services } from "../services.ts";
import { keyIdOf, type Caller } from "../callers/caller.ts";
import { limitFor } from "#domain/plans.ts";
import { findCurrentBilling, renewMonth } from "../billing/months.ts";
import { requestRefusal } from "../callers/request-bounds.ts";
import {
  quotaExceeded,
  checkPlan,
  checkTransferPlan,
  maxUnfinished,
  plainSize,
  tooManyUnfinished,
} from "../callers/check-plan.ts";
import { findBilling, type BillingRow } from "../db/billing.ts";
import type { NewFile } from "../db/new-files.ts";
import { findExceededLimit, releaseFile, reserveFile, type Reservation } from "../db/uploads.ts";

/**
 * Finds out whether the key that started an upload is why a reservation was refused. It may have ended after it was
 * checked. A person may go on with what a key has started: an ended key has no room then, since a 401 would ask the
 * person to sign in.
 * @param apiKeyId null for an upload that a person has started @param bytes that were to be reserved
 * @param now epoch milliseconds
 * @throws AppError KEY_INVALID, KEY_LIMIT
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
 * Refuses before the bytes come what the reservation would refuse after them. The reservation decides.
 * @param sizeBytes that will come; 0 if that is not known @param now epoch milliseconds
 * @throws AppError PLAN_LIMIT_EXCEEDED, KEY_LIMIT, KEY_INVALID; for a sender REQUEST_FULL, who hears nothing of the month
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

/**
 * Begins a new month first if the stored one has ended.
 * @param unlessMatching reserves nothing if the owner has unfinished uploads of the same file
 * @throws AppError PLAN_LIMIT_EXCEEDED, KEY_LIMIT, KEY_INVALID, RATE_LIMITED
 */
export async function reserveQuota(
  services: Services,
  caller: Caller,
  file: NewFile,
  unlessMatching: boolean,
): Promise<SuccessfulReservation> {
  try {
    return await reserve(services, caller, file, unlessMatching);
  } catch (error) {
    // After a database error the reservation may still have been committed.
    if (!(error instanceof AppError)) await releaseFile(services.db, file.id, "failed", "STORAGE_UNAVAILABLE");
    throw error;
  }
}

async function reserve(
  services: Services,
  caller: Caller,
  file: NewFile,
  unlessMatching: boolean,
): Promise<SuccessfulReservation> {
  const { db } = services;
  const max = maxUnfinished(services, caller);
  const first = await reserveFile(db, file, limitFor(caller.plan), max, caller, unlessMatching);
  if (first.kind !== "over-limit") return first;
  const { userId } = file;
  const exceeded = userId === null ? null : await findExceededLimit(db, { ...file, userId }, max);
  if (exceeded !== null) throw tooManyUnfinished(exceeded);
  const billing = userId === null ? null : await findBilling(db, userId);
  if (!billing || billing.periodEnd.getTime() > file.createdAt) {
    throw await overLimit(services, caller, file, billing);
  }
  await renewMonth(services, billing, file.createdAt);
  const renewed = await findBilling(db, billing.userId);
  const plan = renewed?.planType ?? caller.plan;
  if (file.entryCount === null) {
    const { lifetime, seal } = file;
    checkPlan({ ...caller, plan }, { ...lifetime, sizeBytes: plainSize(lifetime.sizeBytes, seal !== null) });
  }
  if (file.entryCount !== null) checkTransferPlan({ ...caller, plan }, file.lifetime.expiration, file.entryCount);
  const renewedMax = maxUnfinished(services, { ...caller, plan });
  const second = await reserveFile(db, file, limitFor(plan), renewedMax, caller, unlessMatching);
  if (second.kind !== "over-limit") return second;
  throw await overLimit(services, { ...caller, plan }, file, renewed);
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
