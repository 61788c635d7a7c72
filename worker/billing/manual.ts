import { AppError } from "#domain/errors.ts";
import { isFree, planOf, type PlanId } from "#domain/plans.ts";
import { isManualCustomer, MANUAL_CUSTOMER_PREFIX, type ManualUpdateAnswer } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import { changeBilling, findBilling, type BillingRow } from "../db/billing.ts";
import { foreverExpiry, KEEP_PERIOD } from "./plan-change.ts";

const MAX_ATTEMPTS = 10;

/**
 * Makes the user a manual customer (decision 014). Keeps the billing month and its usage.
 * @param atPeriodEnd for a change to free: keep the paid plan until the billing month ends
 * @throws AppError UNAUTHORIZED if the account was deleted
 */
export async function setManualPlan(
  services: Services,
  userId: string,
  planType: PlanId,
  atPeriodEnd: boolean,
  now: number,
): Promise<ManualUpdateAnswer> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const row = await findBilling(services.db, userId);
    if (!row) throw new AppError("UNAUTHORIZED", { requiresAuth: true });
    const { name } = planOf(row.planType);
    if (planType === row.planType && !row.cancelAtPeriodEnd) {
      return { message: `You're already on the ${name} plan`, planType };
    }
    const endsLater = atPeriodEnd && isFree(planType) && !isFree(row.planType);
    if (!(await savePlan(services, row, endsLater ? row.planType : planType, endsLater, now))) continue;
    const endDate = row.periodEnd.toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });
    if (endsLater) return { message: `Your ${name} plan ends on ${endDate}.`, planType: row.planType };
    return { message: `You are now on the ${planOf(planType).name} plan.`, planType };
  }
  throw new AppError("INTERNAL");
}

/** @returns false if another call changed the row first */
export function endManualPlan(services: Services, row: BillingRow, now: number): Promise<boolean> {
  return savePlan(services, row, "free", false, now);
}

export function isManualPlanCancelled(row: BillingRow): boolean {
  return isManualCustomer(row.stripeCustomerId) && row.cancelAtPeriodEnd === true;
}

/** @returns false if another call changed the row first */
function savePlan(
  services: Services,
  row: BillingRow,
  planType: PlanId,
  cancelAtPeriodEnd: boolean,
  now: number,
): Promise<boolean> {
  const stripeCustomerId = row.stripeCustomerId ?? `${MANUAL_CUSTOMER_PREFIX}${crypto.randomUUID()}`;
  const change = {
    planType,
    stripeCustomerId,
    convertingCustomerId: row.convertingCustomerId,
    stripeSubscriptionId: null,
    anchor: null,
    period: KEEP_PERIOD,
    subscription: {
      planType,
      stripeSubscriptionId: null,
      stripeCustomerId,
      period: { start: row.periodStart.getTime(), end: row.periodEnd.getTime() },
      status: isFree(planType) ? "canceled" : "active",
      cancelAtPeriodEnd,
    },
    endForeverFiles: foreverExpiry(services, row, planType, now),
  };
  return changeBilling(services.db, row, change, null, now);
}
