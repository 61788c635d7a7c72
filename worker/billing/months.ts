import { nextBillingPeriod } from "#domain/billing-period.ts";
import { isFree } from "#domain/plans.ts";
import type { Services } from "../services.ts";
import { beginMonth, findBilling, listEndedMonths, type BillingRow } from "../db/billing.ts";
import { logError } from "../log.ts";
import { leaveManualPlan, leavesManually } from "./manual.ts";
import { stripeCustomerOf, syncPlan } from "./sync.ts";

/** Each may cost four calls, of the 1,000 that an invocation has for all chores (Workers platform limit). */
const BATCH = 50;
/** Months that wait for an answer of Stripe's at the same time. */
const AT_ONCE = 6;

/**
 * Begins the billing month of somebody whose last one has ended: its totals start at nothing, and a plan that was to
 * end with the month ends. Once, however many ask.
 * @param now epoch milliseconds
 */
export async function renewMonth(services: Services, row: BillingRow, now: number): Promise<void> {
  if (row.periodEnd.getTime() > now) return;
  if (leavesManually(row)) await leaveManualPlan(services, row, now);
  await beginMonth(services.db, row.userId, nextBillingPeriod(row.anchor.getTime(), row.periodEnd.getTime(), now), now);
}

/**
 * A person's plan and month as they are now, the month begun if it had to be.
 * @param now epoch milliseconds
 * @returns null for nobody
 */
export async function findCurrentBilling(services: Services, userId: string, now: number): Promise<BillingRow | null> {
  const row = await findBilling(services.db, userId);
  if (!row || row.periodEnd.getTime() > now) return row;
  await renewMonth(services, row, now);
  return findBilling(services.db, userId);
}

/**
 * For the cron: begins every month that is due. A paid plan whose month has ended is asked for at Stripe too: were its
 * event lost, nobody would stay on a plan that they have left.
 * @param now epoch milliseconds
 * @returns how many months were due
 */
export async function renewMonths(services: Services, now: number): Promise<number> {
  const due = await listEndedMonths(services.db, now, BATCH);
  for (let from = 0; from < due.length; from += AT_ONCE) {
    await Promise.all(due.slice(from, from + AT_ONCE).map((row) => renewAndSync(services, row, now)));
  }
  return due.length;
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
