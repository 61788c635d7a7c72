import type Stripe from "stripe";
import { nextBillingPeriod, type BillingPeriod } from "#domain/billing-period.ts";
import { AppError } from "#domain/errors.ts";
import { PLAN_IDS, type PlanId } from "#domain/plans.ts";
import { planOfPrice, STRIPE_EVENTS } from "#domain/stripe.ts";
import { SECOND_MS } from "#domain/units.ts";
import { isManualCustomer, LIVE_STATUSES } from "#domain/wire.ts";
import {
  changeBilling,
  findBilling,
  type BillingChange,
  type BillingRow,
  type HandledEvent,
  type SubscriptionMirror,
  findEventCustomer,
} from "../db/billing.ts";
import type { Services } from "../services.ts";
import { foreverExpiry, freePeriod, KEEP_PERIOD } from "./plan-change.ts";
import { callStripe, isResourceMissing, openStripe, readEvent } from "./stripe.ts";

/** Each attempt after the first follows a parallel change of the row. */
const MAX_ATTEMPTS = 10;

/**
 * Saves the plan that Stripe reports. If a parallel call changes the row, reads from Stripe again, so that an older
 * answer never overwrites a newer one. @param event recorded as handled in the same transaction
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
    const plans = await listStripePlans(services, customer);
    const now = Date.now();
    const change = toBillingChange(services, current, customer, plans, now);
    if (await changeBilling(services.db, current, change, event && { ...event, at: now }, now)) return change.planType;
    current = await findBilling(services.db, current.userId);
  }
  // Stripe answered, but the row kept changing. A later retry helps, as it does when Stripe is unreachable.
  if (current) throw new AppError("STRIPE_UNREACHABLE");
  return null;
}

/** A manual customer has a Stripe customer only while converting to Stripe. */
export function stripeCustomerOf(row: BillingRow): string | null {
  return isManualCustomer(row.stripeCustomerId) ? row.convertingCustomerId : row.stripeCustomerId;
}

export interface StripePlan {
  id: string;
  planType: PlanId;
  itemId: string;
  status: string;
  cancelAtPeriodEnd: boolean;
  /** Epoch milliseconds. */
  anchor: number;
  period: BillingPeriod;
}

/** A customer's plans at Stripe. The first plan of the list decides the account's plan (decision 014). */
export async function listStripePlans({ settings }: Services, customer: string): Promise<StripePlan[]> {
  const stripe = await openStripe(settings.billing);
  const { data } = await callStripe(async () => {
    try {
      return await stripe.subscriptions.list({ customer, status: "all", limit: 100 });
    } catch (error) {
      // A customer deleted at Stripe has no subscriptions.
      if (isResourceMissing(error)) return { data: [] };
      throw error;
    }
  });
  return data.flatMap(toStripePlans).sort(byPrecedence);
}

function toStripePlans(subscription: Stripe.Subscription): StripePlan[] {
  return subscription.items.data.flatMap((item) => {
    const planType = planOfPrice(item.price);
    if (planType === null) return [];
    return {
      id: subscription.id,
      planType,
      itemId: item.id,
      status: subscription.status,
      // Stripe's portal may set `cancel_at` instead of `cancel_at_period_end`.
      cancelAtPeriodEnd: subscription.cancel_at_period_end || subscription.cancel_at !== null,
      anchor: subscription.billing_cycle_anchor * SECOND_MS,
      period: { start: item.current_period_start * SECOND_MS, end: item.current_period_end * SECOND_MS },
    };
  });
}

export function isLive({ status }: StripePlan): boolean {
  return LIVE_STATUSES.includes(status);
}

/** Sorts live plans before ended ones; among these, larger plans first; of equal plans, the later end first. */
function byPrecedence(a: StripePlan, b: StripePlan): number {
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
  [best]: StripePlan[],
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

/** The plan's period at Stripe, or the next period if Stripe has not renewed an ended period yet. */
function paidPeriod({ anchor, period }: StripePlan, now: number): BillingPeriod {
  return period.end > now ? period : nextBillingPeriod(anchor, period.end, now);
}

function unpaidPeriod(row: BillingRow, now: number): BillingChange["period"] {
  const wasFree = row.anchor.getTime() === row.signedUpAt.getTime();
  return wasFree && row.periodEnd.getTime() > now ? KEEP_PERIOD : freePeriod(row, now);
}

/** The unchanged billing of a manual customer who has not paid yet. Saving the row still changes its revision. */
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

/** The subscription that decides the plan. If Stripe has no subscription, the stored one, marked as canceled. */
function toMirror(row: BillingRow, customer: string, best: StripePlan | undefined): SubscriptionMirror | null {
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

/**
 * Syncs the customer's plan with Stripe, so that events may arrive twice, late and out of order. Records the event in
 * the same transaction; after an error Stripe sends the event again.
 * @param body the unchanged request body @throws AppError SIGNATURE_INVALID, STRIPE_UNREACHABLE
 */
export async function handleEvent(services: Services, body: string, signature: string): Promise<void> {
  const event = await readEvent(services.settings.billing, body, signature);
  const customer = customerOf(event);
  if (customer === null) return;
  const { handled, row } = await findEventCustomer(services.db, event.id, customer);
  // An unknown customer may belong to another product or to a deleted account.
  if (handled || !row) return;
  await syncPlan(services, row, { id: event.id, type: event.type });
}

/** The Stripe customer of an event; null for an event that does not concern plans. */
function customerOf(event: Stripe.Event): string | null {
  if (!STRIPE_EVENTS.some((type) => type === event.type)) return null;
  const object: { object?: string; id?: string; customer?: string | { id: string } | null } = event.data.object;
  if (object.object === "customer") return object.id ?? null;
  return typeof object.customer === "object" ? (object.customer?.id ?? null) : (object.customer ?? null);
}
