import { AppError } from "#domain/errors.ts";
import { planOf } from "#domain/plans.ts";
import { LIVE_STATUSES, type CurrentPlan, type CurrentUser } from "#domain/wire.ts";
import type { BillingRow } from "../db/billing.ts";
import type { Services } from "../services.ts";
import { toListedLimits } from "./listed-plans.ts";
import { findCurrentBilling } from "./months.ts";
import { syncPlan } from "./sync.ts";

/** @throws AppError UNAUTHORIZED if the account was deleted */
export async function getCurrentPlan(services: Services, user: CurrentUser, now: number): Promise<CurrentPlan> {
  return describePlan(await getBilling(services, user, now));
}

/** Syncs the plan with Stripe before it is read. @throws AppError UNAUTHORIZED, STRIPE_UNREACHABLE */
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
  const status = row.status === "canceled" || row.status === "incomplete_expired" ? null : row.status;
  return {
    planType: row.planType,
    planName: name,
    limits: toListedLimits(limits),
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

/** Returns 0 only when nothing of the limit is used, and 100 only when nothing of it is left. */
function percentage(used: number, limit: number): number {
  if (used >= limit) return 100;
  return used === 0 ? 0 : Math.min(99, Math.max(1, Math.round((used / limit) * 100)));
}
