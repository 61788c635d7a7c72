import { AppError } from "#domain/errors.ts";
import { isFree, planOf, type PlanId } from "#domain/plans.ts";
import { isManualCustomer, MANUAL_CUSTOMER_PREFIX, type ManualUpdateAnswer } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import { changeBilling, findBilling, type BillingRow } from "../db/billing.ts";
import { AS_IT_IS, endingOfForever } from "./plan-change.ts";

const ATTEMPTS = 10;

/**
 * Sets a person's plan as they chose it, and makes them a manual customer (decisions, Billing). The billing month goes
 * on with what it has taken: nobody gets a fresh one by choosing.
 * @param atPeriodEnd for the free plan: the paid one goes on until the billing month ends
 * @param now epoch milliseconds
 * @throws AppError UNAUTHORIZED when the person has gone
 */
export async function setManualPlan(
  services: Services,
  userId: string,
  planType: PlanId,
  atPeriodEnd: boolean,
  now: number,
): Promise<ManualUpdateAnswer> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const row = await findBilling(services.db, userId);
    if (!row) throw new AppError("UNAUTHORIZED", { requiresAuth: true });
    const { name } = planOf(row.planType);
    if (planType === row.planType && !row.cancelAtPeriodEnd) {
      return { message: `You're already on the ${name} plan`, planType };
    }
    const later = atPeriodEnd && isFree(planType) && !isFree(row.planType);
    if (!(await choose(services, row, later ? row.planType : planType, later, now))) continue;
    const until = row.periodEnd.toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });
    if (later) return { message: `Your ${name} plan ends on ${until}.`, planType: row.planType };
    return { message: `You are on the ${planOf(planType).name} plan now.`, planType };
  }
  throw new AppError("INTERNAL");
}

/** Ends the paid plan of a manual customer who has left it. @returns whether it ended now */
export function leaveManualPlan(services: Services, row: BillingRow, now: number): Promise<boolean> {
  return choose(services, row, "free", false, now);
}

/** Whether that is a manual customer whose plan ends with the month. */
export function leavesManually(row: BillingRow): boolean {
  return isManualCustomer(row.stripeCustomerId) && row.cancelAtPeriodEnd === true;
}

function choose(
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
    period: AS_IT_IS,
    subscription: {
      planType,
      stripeSubscriptionId: null,
      stripeCustomerId,
      period: { start: row.periodStart.getTime(), end: row.periodEnd.getTime() },
      status: isFree(planType) ? "canceled" : "active",
      cancelAtPeriodEnd,
    },
    foreverEnds: endingOfForever(services, row, planType, now),
  };
  return changeBilling(services.db, row, change, null, now);
}
