import { AppError } from "#domain/errors.ts";
import { expirationLabel, type Expiration, type Lifetime } from "#domain/expiry.ts";
import { mostUnfinishedUploads } from "#domain/limits.ts";
import { allows, LARGEST_FILE_BYTES, limitFor, planThatAllows, type PlanId } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";
import type { Services } from "../context.ts";
import { findMonthTotals } from "../db/users.ts";
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

/** Says which limit a refused reservation ran into: that of unfinished uploads, or one of the month's. */
export async function whyItDoesNotFit(
  services: Services,
  uploader: Uploader,
  { sizeBytes }: Lifetime,
): Promise<AppError> {
  const { plan, userId } = uploader;
  const limits = limitFor(plan);
  const totals = userId === null ? null : await findMonthTotals(services.db, userId);
  const most = mostUnfinished(services, uploader);
  if (totals && totals.unfinishedUploads >= most) {
    return new AppError("RATE_LIMITED", {
      message: `You have ${totals.unfinishedUploads} unfinished uploads, and your plan takes ${most} at once. Finish or discard one on your dashboard, then try again.`,
      retryAfterSeconds: UNFINISHED_RETRY_SECONDS,
    });
  }
  if (totals && totals.transfers >= limits.monthTransfers) {
    return planLimit(`You have used all ${limits.monthTransfers} transfers of this month.`);
  }
  const left = formatBytes(Math.max(0, limits.monthBytes - (totals?.bytes ?? 0)));
  const month = formatBytes(limits.monthBytes);
  return planLimit(`This file has ${formatBytes(sizeBytes)}, and ${left} of this month's ${month} are left.`);
}

function planLimit(message: string): AppError {
  return new AppError("PLAN_LIMIT_EXCEEDED", { message, planLimitExceeded: true });
}
