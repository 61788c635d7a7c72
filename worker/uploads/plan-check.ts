import { AppError } from "#domain/errors.ts";
import { expirationLabel, type Expiration, type Lifetime } from "#domain/expiry.ts";
import { mostUnfinishedUploads } from "#domain/limits.ts";
import { allows, LARGEST_FILE_BYTES, limitFor, planThatAllows, type PlanId } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";
import type { Services } from "../context.ts";
import type { Uploader } from "./uploader.ts";

/**
 * Checks one file against the uploader's plan; the month is checked where it is reserved.
 * @throws AppError FILE_TOO_LARGE, or PLAN_LIMIT_EXCEEDED with `planLimitExceeded`
 */
export function checkPlan({ plan }: Uploader, lifetime: Lifetime): void {
  const limits = limitFor(plan);
  if (lifetime.sizeBytes > LARGEST_FILE_BYTES) {
    const message = `The maximum file size allowed is ${formatBytes(LARGEST_FILE_BYTES)} per file for all subscription plans.`;
    throw new AppError("FILE_TOO_LARGE", { message });
  }
  if (lifetime.sizeBytes > limits.fileSizeBytes) {
    throw planLimit(
      `Your plan takes files up to ${formatBytes(limits.fileSizeBytes)}. Choose a larger plan for this one.`,
    );
  }
  checkExpiration(plan, lifetime.expiration);
}

/** @throws AppError PLAN_LIMIT_EXCEEDED with `planLimitExceeded`, where the plan does not keep files that long */
export function checkExpiration(plan: PlanId, expiration: Expiration): void {
  if (allows(plan, expiration)) return;
  const { name } = planThatAllows(expiration);
  throw planLimit(`Keeping a file for ${expirationLabel(expiration)} needs the ${name} plan.`);
}

/** How many unfinished uploads the uploader may have at once; one more is refused. */
export function mostUnfinished({ settings }: Services, { plan }: Uploader): number {
  return settings.rateLimits === "off" ? Infinity : mostUnfinishedUploads(plan);
}

/** How soon a client may ask again whether an unfinished upload has ended. */
const UNFINISHED_RETRY_SECONDS = 60;

/** @param most how many unfinished uploads the plan takes */
export function tooManyUnfinished(most: number): AppError {
  return new AppError("RATE_LIMITED", {
    message: `You have ${most} unfinished uploads, and your plan takes ${most} at once. Finish or discard one on your dashboard, then try again.`,
    retryAfterSeconds: UNFINISHED_RETRY_SECONDS,
  });
}

/** Says which limit a refused reservation ran into, by what the month has taken. */
export function noRoom(
  plan: PlanId,
  { sizeBytes }: Lifetime,
  taken: { bytes: number; transfers: number } | null,
): AppError {
  const limits = limitFor(plan);
  if (taken && taken.transfers >= limits.monthTransfers) {
    return planLimit(`You have used all ${limits.monthTransfers} transfers of this month.`);
  }
  const left = Math.max(0, limits.monthBytes - (taken?.bytes ?? 0));
  if (limits.storedBytes !== null && sizeBytes <= left) {
    const most = formatBytes(limits.storedBytes);
    return planLimit(`Your plan keeps ${most} at one time, and this file would be more. Delete some files first.`);
  }
  const month = formatBytes(limits.monthBytes);
  return planLimit(
    `This file has ${formatBytes(sizeBytes)}, and ${formatBytes(left)} of this month's ${month} are left.`,
  );
}

function planLimit(message: string): AppError {
  return new AppError("PLAN_LIMIT_EXCEEDED", { message, planLimitExceeded: true });
}
