import { AppError } from "#domain/errors.ts";
import { expirationLabel, type Lifetime } from "#domain/expiry.ts";
import { allows, LARGEST_FILE_BYTES, limitFor, planThatAllows, type PlanId } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";
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
  if (!allows(plan, lifetime.expiration)) {
    const { name } = planThatAllows(lifetime.expiration);
    throw planLimit(`Keeping a file for ${expirationLabel(lifetime.expiration)} needs the ${name} plan.`);
  }
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
