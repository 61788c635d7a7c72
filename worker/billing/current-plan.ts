import { AppError } from "#domain/errors.ts";
import { listedLimits } from "#domain/listed-plan-limits.ts";
import { planOf } from "#domain/plans.ts";
import { LIVE_STATUSES, type CurrentPlan, type CurrentUser } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import type { BillingRow } from "../db/billing.ts";
import { findCurrentBilling } from "./months.ts";
import { syncPlan } from "./sync.ts";

/**
 * The person's plan, and what this month has taken of it.
 * @param now epoch milliseconds
 * @throws AppError UNAUTHORIZED when the person has gone
 */
export async function getCurrentPlan(services: Services, user: CurrentUser, now: number): Promise<CurrentPlan> {
  return describePlan(await getBilling(services, user, now));
}

/**
 * The same, after asking Stripe, where it is set up.
 * @param now epoch milliseconds
 * @throws AppError UNAUTHORIZED, STRIPE_UNREACHABLE
 */
export async function refreshCurrentPlan(services: Services, user: CurrentUser, now: number): Promise<CurrentPlan> {
  if (services.settings.billing.mode === "stripe") await syncPlan(services, await getBilling(services, user, now));
  return getCurrentPlan(services, user, now);
}

async function getBilling(services: Services, user: CurrentUser, now: number): Promise<BillingRow> {
  const row = await findCurrentBilling(services, user.id, now);
  if (!row) throw new AppError("UNAUTHORIZED", { requiresAuth: true });
  return row;
}

function describePlan(row: BillingRow): CurrentPlan {
  const { name, limits } = planOf(row.planType);
  // A subscription that has ended leaves the free plan as it is for everybody.
  const status = row.status === "canceled" || row.status === "incomplete_expired" ? null : row.status;
  return {
    planType: row.planType,
    planName: name,
    limits: listedLimits(limits),
    usage: {
      transferCount: row.transfers,
      transferPercentage: percentage(row.transfers, limits.monthTransfers),
      storageUsed: row.bytes,
      storagePercentage: percentage(row.bytes, limits.monthBytes),
    },
    subscription: {
      status: status ?? "active",
      cancelAtPeriodEnd: status !== null && LIVE_STATUSES.includes(status) && row.cancelAtPeriodEnd === true,
      currentPeriodStart: row.periodStart.toISOString(),
      currentPeriodEnd: row.periodEnd.toISOString(),
    },
    hasSubscription: status !== null,
    stripeCustomerId: row.stripeCustomerId,
  };
}

/** Whole, at least 1 where there is anything, and 100 only where nothing is left. */
function percentage(used: number, most: number): number {
  if (used >= most) return 100;
  return used === 0 ? 0 : Math.min(99, Math.max(1, Math.round((used / most) * 100)));
}
