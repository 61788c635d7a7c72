import { listedLimits } from "#domain/plan-list.ts";
import { planOf } from "#domain/plans.ts";
import { LIVE_STATUSES, type CurrentPlan, type CurrentUser } from "#domain/wire.ts";
import type { Services } from "../context.ts";
import { getBilling, type BillingRow } from "../db/billing.ts";

/** The person's plan, and what this month has taken of it. */
export async function getCurrentPlan({ db }: Services, user: CurrentUser): Promise<CurrentPlan> {
  return describePlan(await getBilling(db, user.id));
}

function describePlan(row: BillingRow): CurrentPlan {
  const { name, limits } = planOf(row.planType);
  // A subscription that has ended leaves the free plan as it is for everybody.
  const subscription = row.status === null || row.status === "canceled" ? null : row;
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
      status: subscription?.status ?? "active",
      cancelAtPeriodEnd: (subscription?.cancelAtPeriodEnd ?? false) && LIVE_STATUSES.includes(row.status ?? ""),
      currentPeriodStart: row.periodStart.toISOString(),
      currentPeriodEnd: row.periodEnd.toISOString(),
    },
    hasSubscription: subscription !== null,
    stripeCustomerId: row.stripeCustomerId,
  };
}

/** Whole, at least 1 where there is anything, and 100 only where nothing is left. */
function percentage(used: number, most: number): number {
  if (used >= most) return 100;
  return used === 0 ? 0 : Math.min(99, Math.max(1, Math.round((used / most) * 100)));
}
