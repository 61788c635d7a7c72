import type Stripe from "stripe";
import { nextBillingPeriod, type BillingPeriod } from "#domain/billing-period.ts";
import { AppError } from "#domain/errors.ts";
import { PLAN_IDS, type PlanId } from "#domain/plans.ts";
import { planOfPrice } from "#domain/stripe.ts";
import { SECOND_MS } from "#domain/units.ts";
import { isManualCustomer, LIVE_STATUSES } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import {
  changeBilling,
  findBilling,
  type BillingChange,
  type BillingRow,
  type HandledEvent,
  type SubscriptionMirror,
} from "../db/billing.ts";
import { foreverExpiry, freePeriod, KEEP_PERIOD } from "./plan-change.ts";
import { callStripe, isResourceMissing, openStripe } from "./stripe.ts";

/** A retry follows only a parallel sync that changed the row. */
const MAX_ATTEMPTS = 10;

/**
 * If a parallel call changes the row, reads from Stripe again: an older answer never overwrites a newer one.
 * @param event recorded as handled in the same transaction
 * @returns null if the account was deleted @throws AppError STRIPE_UNREACHABLE, BILLING_UNAVAILABLE
 */
export async function syncPlan(
  services: Services,
  row: BillingRow,
  event: Omit<HandledEvent, "at"> | null = null,
): Promise<PlanId | null> {
  let current: BillingRow | null = row;
  for (let attempt = 0; attempt < MAX_ATTEMPTS && current; attempt += 1) {
    const customer = stripeCustomerOf(current);
    if (customer === null) return current.planType;
    const paidPlans = await listPaidPlans(services, customer);
    const now = Date.now();
    const change = toBillingChange(services, current, customer, paidPlans, now);
    if (await changeBilling(services.db, current, change, event && { ...event, at: now }, now)) return change.planType;
    current = await findBilling(services.db, current.userId);
  }
  if (current) throw new AppError("STRIPE_UNREACHABLE");
  return null;
}

/** For a manual customer, the one created when they began to convert. */
export function stripeCustomerOf(row: BillingRow): string | null {
  return isManualCustomer(row.stripeCustomerId) ? row.convertingCustomerId : row.stripeCustomerId;
}

export interface PaidPlan {
  id: string;
  planType: PlanId;
  itemId: string;
  status: string;
  cancelAtPeriodEnd: boolean;
  /** Epoch milliseconds. */
  anchor: number;
  period: BillingPeriod;
}

/** The first one decides the plan (decision 014). */
export async function listPaidPlans({ settings }: Services, customer: string): Promise<PaidPlan[]> {
  const stripe = await openStripe(settings.billing);
  const { data } = await callStripe(async () => {
    try {
      return await stripe.subscriptions.list({ customer, status: "all", limit: 100 });
    } catch (error) {
      // The customer was deleted at Stripe.
      if (isResourceMissing(error)) return { data: [] };
      throw error;
    }
  });
  return data.flatMap(toPaidPlans).sort(byPrecedence);
}

function toPaidPlans(subscription: Stripe.Subscription): PaidPlan[] {
  return subscription.items.data.flatMap((item) => {
    const planType = planOfPrice(item.price);
    if (planType === null) return [];
    return {
      id: subscription.id,
      planType,
      itemId: item.id,
      status: subscription.status,
      // The portal may set `cancel_at` instead of the flag.
      cancelAtPeriodEnd: subscription.cancel_at_period_end || subscription.cancel_at !== null,
      anchor: subscription.billing_cycle_anchor * SECOND_MS,
      period: { start: item.current_period_start * SECOND_MS, end: item.current_period_end * SECOND_MS },
    };
  });
}

export function isLive({ status }: PaidPlan): boolean {
  return LIVE_STATUSES.includes(status);
}

/** Live before ended, then the larger plan, then the later end. */
function byPrecedence(a: PaidPlan, b: PaidPlan): number {
  return (
    Number(isLive(b)) - Number(isLive(a)) ||
    PLAN_IDS.indexOf(b.planType) - PLAN_IDS.indexOf(a.planType) ||
    b.period.end - a.period.end
  );
}

function toBillingChange(
  services: Services,
  row: BillingRow,
  customer: string,
  [best]: PaidPlan[],
  now: number,
): BillingChange {
  const live = best && isLive(best) ? best : null;
  if (!live && isManualCustomer(row.stripeCustomerId)) return noChange(row);
  const planType = live?.planType ?? "free";
  return {
    planType,
    stripeCustomerId: customer,
    convertingCustomerId: null,
    stripeSubscriptionId: live?.id ?? null,
    anchor: live ? new Date(live.anchor) : null,
    period: live ? paidPeriod(live, now) : unpaidPeriod(row, now),
    subscription: toMirror(row, customer, best),
    endForeverFiles: foreverExpiry(services, row, planType, now),
  };
}

/** The next period if Stripe's has ended and Stripe has not renewed it yet. */
function paidPeriod({ anchor, period }: PaidPlan, now: number): BillingPeriod {
  return period.end > now ? period : nextBillingPeriod(anchor, period.end, now);
}

function unpaidPeriod(row: BillingRow, now: number): BillingChange["period"] {
  const wasFree = row.anchor.getTime() === row.signedUpAt.getTime();
  return wasFree && row.periodEnd.getTime() > now ? KEEP_PERIOD : freePeriod(row, now);
}

/** For a manual customer who has not paid yet. Saving it still raises the row's revision. */
function noChange(row: BillingRow): BillingChange {
  const { planType, stripeCustomerId, convertingCustomerId, stripeSubscriptionId } = row;
  return {
    planType,
    stripeCustomerId,
    convertingCustomerId,
    stripeSubscriptionId,
    anchor: row.anchor.getTime() === row.signedUpAt.getTime() ? null : row.anchor,
    period: KEEP_PERIOD,
    subscription: null,
    endForeverFiles: null,
  };
}

/** The deciding subscription; without one, the last one as cancelled. */
function toMirror(row: BillingRow, customer: string, best: PaidPlan | undefined): SubscriptionMirror | null {
  if (best) {
    const { id, planType, period, status, cancelAtPeriodEnd } = best;
    return { stripeSubscriptionId: id, stripeCustomerId: customer, planType, period, status, cancelAtPeriodEnd };
  }
  if (row.status === null) return null;
  return {
    planType: row.planType,
    stripeSubscriptionId: row.stripeSubscriptionId,
    stripeCustomerId: customer,
    period: { start: row.periodStart.getTime(), end: row.periodEnd.getTime() },
    status: "canceled",
    cancelAtPeriodEnd: false,
  };
}
