import type { AppError } from "#domain/errors.ts";
import type { Expiration, Lifetime } from "#domain/expiry.ts";
import { allowsExpiration, LARGEST_FILE_BYTES, limitFor, cheapestPlanAllowing, type PlanId } from "#domain/plans.ts";
import { maxUnfinishedUploads } from "#domain/rate-limits.ts";
import { openedSize } from "#domain/seal/sizes.ts";
import { localizedError } from "../errors/translate-error.ts";
import type { Services } from "../services.ts";
import type { ByKey, BySender, Caller } from "./caller.ts";

const PLAN_LIMIT = { planLimitExceeded: true };

/**
 * Checks the plan's limits, except the monthly quota, which the reservation checks.
 * @throws AppError FILE_TOO_LARGE, KEY_LIMIT, or PLAN_LIMIT_EXCEEDED with `planLimitExceeded`
 */
export function checkPlan(caller: Caller, lifetime: Lifetime): void {
  checkSize(caller, lifetime.sizeBytes);
  // For a sender, the owner of the upload request has chosen the expiration, within their plan.
  if (caller.kind !== "sender") checkExpiration(caller.plan, lifetime.expiration);
}

/**
 * @param sizeBytes the size of one file
 * @throws AppError FILE_TOO_LARGE, KEY_LIMIT, REQUEST_FULL for a sender, or PLAN_LIMIT_EXCEEDED with
 * `planLimitExceeded`
 */
export function checkSize(caller: Checked, sizeBytes: number): void {
  if (caller.kind === "sender") {
    checkRequestedSize(caller, sizeBytes);
    return;
  }
  const limits = limitFor(caller.plan);
  if (sizeBytes > LARGEST_FILE_BYTES) {
    throw localizedError("FILE_TOO_LARGE", "overLargest", { size: { bytes: LARGEST_FILE_BYTES } });
  }
  if (sizeBytes > limits.fileSizeBytes) {
    throw localizedError("PLAN_LIMIT_EXCEEDED", "overPlan", { size: { bytes: limits.fileSizeBytes } }, PLAN_LIMIT);
  }
  checkKey(caller, sizeBytes);
}

/** The parts of a caller that set limits. */
type Checked = { plan: PlanId } & (Bound | { kind: "account" | "visitor" });
export type Bound = Pick<ByKey, "kind" | "key"> | Pick<BySender, "kind" | "request">;

/** @throws AppError REQUEST_FULL for a larger file than the upload request or its owner's plan takes */
function checkRequestedSize({ plan, request }: Pick<BySender, "plan" | "request">, sizeBytes: number): void {
  const bytes = Math.min(limitFor(plan).fileSizeBytes, request.mostFileBytes ?? Infinity);
  if (sizeBytes > bytes) throw localizedError("REQUEST_FULL", "requestFileSize", { size: { bytes } });
}

/** @throws AppError KEY_LIMIT for a larger file than the key may send */
function checkKey(caller: Checked, sizeBytes: number): void {
  const max = caller.kind === "key" ? caller.key.largestFileBytes : null;
  if (max !== null && sizeBytes > max) throw localizedError("KEY_LIMIT", "overKey", { size: { bytes: max } });
}

/**
 * @param sizeBytes the size as stored
 * @returns the size that counts for a plan's file limit: without the overhead of encryption
 */
export function plainSize(sizeBytes: number, isSealed: boolean): number {
  return (isSealed ? openedSize(sizeBytes) : null) ?? sizeBytes;
}

/**
 * @param entries how many entries are announced in all
 * @param largestBytes the largest of the files announced so far
 * @param hasStarted whether files are added to a transfer that is uploading
 * @throws AppError KEY_LIMIT, or PLAN_LIMIT_EXCEEDED with `planLimitExceeded`
 */
export function checkTransferPlan(
  caller: Checked,
  expiration: Expiration,
  entries: number,
  largestBytes = 0,
  hasStarted = false,
): void {
  const limits = limitFor(caller.plan);
  if (caller.kind === "sender") {
    if (entries > limits.entries) throw localizedError("REQUEST_FULL", "requestFiles", { count: limits.entries });
    checkRequestedSize(caller, largestBytes);
    return;
  }
  if (entries > limits.entries) {
    const name = hasStarted ? "noMoreEntries" : "tooManyEntries";
    throw localizedError("PLAN_LIMIT_EXCEEDED", name, { count: limits.entries }, PLAN_LIMIT);
  }
  if (largestBytes > limits.fileSizeBytes) {
    throw localizedError("PLAN_LIMIT_EXCEEDED", "filesOverPlan", { size: { bytes: limits.fileSizeBytes } }, PLAN_LIMIT);
  }
  checkKey(caller, largestBytes);
  checkExpiration(caller.plan, expiration);
}

/**
 * Checks the size of a visitor's transfer. A visitor has no monthly quota: each transfer may be as large as the free
 * plan's quota.
 * @throws AppError PLAN_LIMIT_EXCEEDED
 */
export function checkVisitorTotals({ kind, plan }: Caller, bytes: number): void {
  const { monthBytes } = limitFor(plan);
  if (kind !== "visitor" || bytes <= monthBytes) return;
  throw localizedError("PLAN_LIMIT_EXCEEDED", "visitorOver", { size: { bytes: monthBytes } }, PLAN_LIMIT);
}

/** @throws AppError PLAN_LIMIT_EXCEEDED with `planLimitExceeded` */
export function checkExpiration(plan: PlanId, expiration: Expiration): void {
  if (allowsExpiration(plan, expiration)) return;
  const { name } = cheapestPlanAllowing(expiration);
  throw localizedError("PLAN_LIMIT_EXCEEDED", "keepsTooLong", { expiration: { expiration }, plan: name }, PLAN_LIMIT);
}

/** The most unfinished uploads of a caller. Uploads through a request have limits of their own. */
export function maxUnfinished({ settings }: Services, { kind, plan }: Caller): number {
  return settings.rateLimits === "off" || kind === "sender" ? Infinity : maxUnfinishedUploads(plan);
}

const UNFINISHED_RETRY_SECONDS = 60;

export function tooManyUnfinished(max: number): AppError {
  const fields = { retryAfterSeconds: UNFINISHED_RETRY_SECONDS };
  return localizedError("RATE_LIMITED", "tooManyUnfinished", { count: max }, fields);
}

/**
 * The error for an upload that exceeds the monthly quota.
 * @param used the month's totals; null for a visitor
 * @param isTransfer whether the upload has many files
 */
export function quotaExceeded(
  plan: PlanId,
  sizeBytes: number,
  used: { bytes: number; transfers: number } | null,
  isTransfer: boolean,
): AppError {
  const limits = limitFor(plan);
  if (used && used.transfers >= limits.monthTransfers) {
    return localizedError("PLAN_LIMIT_EXCEEDED", "transfersUsed", { count: limits.monthTransfers }, PLAN_LIMIT);
  }
  const left = Math.max(0, limits.monthBytes - (used?.bytes ?? 0));
  if (limits.storedBytes !== null && sizeBytes <= left) {
    const name = isTransfer ? "filesOverStored" : "overStored";
    return localizedError("PLAN_LIMIT_EXCEEDED", name, { size: { bytes: limits.storedBytes } }, PLAN_LIMIT);
  }
  const sizes = { size: { bytes: sizeBytes }, left: { bytes: left }, month: { bytes: limits.monthBytes } };
  return localizedError("PLAN_LIMIT_EXCEEDED", isTransfer ? "filesOverMonth" : "overMonth", sizes, PLAN_LIMIT);
}

/**
 * The error for an uploading transfer that cannot grow.
 * @param addedBytes by how many bytes the transfer would grow
 * @param month the month of the transfer's owner; `bytes`: used so far, including the transfer's
 */
export function growthExceeded(
  plan: PlanId,
  addedBytes: number,
  month: { bytes: number; hasBegunSinceStart: boolean },
): AppError {
  if (month.hasBegunSinceStart) return localizedError("PLAN_LIMIT_EXCEEDED", "growthInNextMonth", {}, PLAN_LIMIT);
  const limits = limitFor(plan);
  const left = Math.max(0, limits.monthBytes - month.bytes);
  if (limits.storedBytes !== null && addedBytes <= left) {
    const size = { bytes: limits.storedBytes };
    return localizedError("PLAN_LIMIT_EXCEEDED", "filesOverStored", { size }, PLAN_LIMIT);
  }
  const sizes = { size: { bytes: addedBytes }, left: { bytes: left }, month: { bytes: limits.monthBytes } };
  return localizedError("PLAN_LIMIT_EXCEEDED", "growthOverMonth", sizes, PLAN_LIMIT);
}
