import { AppError } from "#domain/errors.ts";
import { limitFor } from "#domain/plans.ts";
import { findCurrentBilling, renewMonth } from "../billing/months.ts";
import { keyIdOf, type Caller } from "../callers/caller.ts";
import {
  quotaExceeded,
  checkPlan,
  checkTransferPlan,
  maxUnfinished,
  plainSize,
  tooManyUnfinished,
} from "../callers/check-plan.ts";
import { requestRefusal } from "../callers/request-bounds.ts";
import { findKeyRoom } from "../db/api-key-months.ts";
import { findBilling, type BillingRow } from "../db/billing.ts";
import type { NewFile } from "../db/new-files.ts";
import { findExceededLimit, releaseFile, reserveFile, type Reservation } from "../db/uploads.ts";
import type { Services } from "../services.ts";

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

interface QuotaRequest {
  caller: Caller;
  file: NewFile;
  /** What to do if the owner has unfinished uploads of the same file. */
  onMatch: "return" | "reserve";
}

/**
 * Begins a new month first if the stored one has ended.
 * @throws AppError PLAN_LIMIT_EXCEEDED, KEY_LIMIT, KEY_INVALID, RATE_LIMITED
 */
export async function reserveQuota(services: Services, request: QuotaRequest): Promise<SuccessfulReservation> {
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
