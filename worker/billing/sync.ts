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
import { AS_IT_IS, endingOfForever, freePeriod } from "./plan-change.ts";
import { askingStripe, isMissing, openStripe } from "./stripe.ts";

/** Each lost race means that somebody else has just written what Stripe says. */
const ATTEMPTS = 10;

/**
 * Makes a person's plan what Stripe says at this moment, whatever led here. Two of these may run at once: one whose row
 * was changed while it asked Stripe asks again, so an older answer never wins over a newer one.
 * @param row as it was read before Stripe is asked
 * @param event noted as handled in the same transaction
 * @returns the plan; null when the person has gone meanwhile
 * @throws AppError STRIPE_UNREACHABLE, BILLING_UNAVAILABLE
 */
export async function syncPlan(
  services: Services,
  row: BillingRow,
  event: Omit<HandledEvent, "at"> | null = null,
): Promise<PlanId | null> {
  let current: BillingRow | null = row;
  for (let attempt = 0; attempt < ATTEMPTS && current; attempt += 1) {
    const customer = stripeCustomerOf(current);
    if (customer === null) return current.planType;
    const present = await listPaidPlans(services, customer);
    const now = Date.now();
    const change = changeFor(services, current, customer, present, now);
    if (await changeBilling(services.db, current, change, event && { ...event, at: now }, now)) return change.planType;
    current = await findBilling(services.db, current.userId);
  }
  if (current) throw new AppError("STRIPE_UNREACHABLE");
  return null;
}

/** The customer whose subscriptions count: for a manual one, the one it is turning into. */
export function stripeCustomerOf(row: BillingRow): string | null {
  return isManualCustomer(row.stripeCustomerId) ? row.convertingCustomerId : row.stripeCustomerId;
}

/** A subscription of Stripe's to one of our plans. */
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

/**
 * A customer's subscriptions to our plans as they are now, the one that counts first: a live one before one that is
 * not, then the larger plan, then the later end.
 */
export async function listPaidPlans({ settings }: Services, customer: string): Promise<PaidPlan[]> {
  const stripe = await openStripe(settings.billing);
  const { data } = await askingStripe(async () => {
    try {
      return await stripe.subscriptions.list({ customer, status: "all", limit: 100 });
    } catch (error) {
      // A customer that was deleted there has no subscriptions.
      if (isMissing(error)) return { data: [] };
      throw error;
    }
  });
  return data.flatMap(readSubscription).sort(byWeight);
}

function readSubscription(subscription: Stripe.Subscription): PaidPlan[] {
  return subscription.items.data.flatMap((item) => {
    const planType = planOfPrice(item.price);
    if (planType === null) return [];
    return {
      id: subscription.id,
      planType,
      itemId: item.id,
      status: subscription.status,
      // The portal may set the moment instead of the flag.
      cancelAtPeriodEnd: subscription.cancel_at_period_end || subscription.cancel_at !== null,
      anchor: subscription.billing_cycle_anchor * SECOND_MS,
      period: { start: item.current_period_start * SECOND_MS, end: item.current_period_end * SECOND_MS },
    };
  });
}

export function isLive({ status }: PaidPlan): boolean {
  return LIVE_STATUSES.includes(status);
}

function byWeight(a: PaidPlan, b: PaidPlan): number {
  return (
    Number(isLive(b)) - Number(isLive(a)) ||
    PLAN_IDS.indexOf(b.planType) - PLAN_IDS.indexOf(a.planType) ||
    b.period.end - a.period.end
  );
}

function changeFor(
  services: Services,
  row: BillingRow,
  customer: string,
  [best]: PaidPlan[],
  now: number,
): BillingChange {
  const live = best && isLive(best) ? best : null;
  if (!live && isManualCustomer(row.stripeCustomerId)) return unchanged(row);
  const planType = live?.planType ?? "free";
  return {
    planType,
    stripeCustomerId: customer,
    convertingCustomerId: null,
    stripeSubscriptionId: live?.id ?? null,
    anchor: live ? new Date(live.anchor) : null,
    period: live ? paidPeriod(live, now) : keepOrFree(row, now),
    subscription: mirrorOf(row, customer, best),
    foreverEnds: endingOfForever(services, row, planType, now),
  };
}

/** Stripe's period; where its renewal is still on its way, the month that has begun meanwhile. */
function paidPeriod({ anchor, period }: PaidPlan, now: number): BillingPeriod {
  return period.end > now ? period : nextBillingPeriod(anchor, period.end, now);
}

/** The months of somebody who was on the free plan before go on as they were. */
function keepOrFree(row: BillingRow, now: number): BillingChange["period"] {
  const wasFree = row.anchor.getTime() === row.signedUpAt.getTime();
  return wasFree && row.periodEnd.getTime() > now ? AS_IT_IS : freePeriod(row, now);
}

/** A manual customer who has not paid yet stays as they are; only the read counts. */
function unchanged(row: BillingRow): BillingChange {
  const { planType, stripeCustomerId, convertingCustomerId, stripeSubscriptionId } = row;
  return {
    planType,
    stripeCustomerId,
    convertingCustomerId,
    stripeSubscriptionId,
    anchor: row.anchor.getTime() === row.signedUpAt.getTime() ? null : row.anchor,
    period: AS_IT_IS,
    subscription: null,
    foreverEnds: null,
  };
}

/** What the mirror shows: the subscription that counts, or that the one it showed is gone. */
function mirrorOf(row: BillingRow, customer: string, best: PaidPlan | undefined): SubscriptionMirror | null {
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
