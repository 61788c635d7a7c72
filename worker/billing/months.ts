import { nextBillingPeriod } from "#domain/billing-period.ts";
import { isFree } from "#domain/plans.ts";
import type { Services } from "../services.ts";
import { beginMonth, findBilling, listEndedMonths, type BillingRow } from "../db/billing.ts";
import { logError } from "../log.ts";
import { endManualPlan, isManualPlanCancelled } from "./manual.ts";
import { stripeCustomerOf, syncPlan } from "./sync.ts";

/** Renewing a month makes up to 4 subrequests. Workers allows 1,000 per invocation, shared by all cron chores. */
const MONTHS_PER_RUN = 50;
const MAX_PARALLEL_RENEWALS = 6;

/**
 * Begins a new billing month: resets the usage, and ends a plan that was cancelled for the month's end. Of parallel
 * calls, one begins the month.
 */
export async function renewMonth(services: Services, row: BillingRow, now: number): Promise<void> {
  if (row.periodEnd.getTime() > now) return;
  if (isManualPlanCancelled(row)) await endManualPlan(services, row, now);
  await beginMonth(services.db, row.userId, nextBillingPeriod(row.anchor.getTime(), row.periodEnd.getTime(), now), now);
}

export async function findCurrentBilling(services: Services, userId: string, now: number): Promise<BillingRow | null> {
  const row = await findBilling(services.db, userId);
  if (!row || row.periodEnd.getTime() > now) return row;
  await renewMonth(services, row, now);
  return findBilling(services.db, userId);
}

/** Renews ended months. Syncs paid plans, in case a Stripe event was lost. @returns the number of renewed months */
export async function renewMonths(services: Services, now: number): Promise<number> {
  const rows = await listEndedMonths(services.db, now, MONTHS_PER_RUN);
  for (let start = 0; start < rows.length; start += MAX_PARALLEL_RENEWALS) {
    const group = rows.slice(start, start + MAX_PARALLEL_RENEWALS);
    await Promise.all(group.map((row) => renewAndSync(services, row, now)));
  }
  return rows.length;
}

async function renewAndSync(services: Services, row: BillingRow, now: number): Promise<void> {
  try {
    await renewMonth(services, row, now);
    if (services.settings.billing.mode !== "stripe" || isFree(row.planType) || stripeCustomerOf(row) === null) return;
    const renewed = await findBilling(services.db, row.userId);
    if (renewed) await syncPlan(services, renewed);
  } catch (error) {
    logError("billing.renewal_failed", error, { userId: row.userId });
  }
}
