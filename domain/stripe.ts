import { PLAN_IDS, type PlanId } from "./plans.ts";

/** Everything that setup makes in Stripe carries this as `metadata.app`, and is found again by it. */
export const STRIPE_APP = "mayfly";

/** By which a plan's price is found: no price's id is written anywhere. */
export function lookupKeyOf(plan: PlanId): string {
  return `${STRIPE_APP}_${plan}_monthly`;
}

/**
 * Which plan a price is for. A price that was replaced has lost its lookup key to the newer one, and is still what
 * older subscriptions pay: its metadata goes on saying which plan it opens.
 * @returns null for a price that is none of ours
 */
export function planOfPrice(price: { lookup_key: string | null; metadata: Record<string, string> }): PlanId | null {
  return PLAN_IDS.find((plan) => price.lookup_key === lookupKeyOf(plan) || price.metadata.planType === plan) ?? null;
}

/** The events that say that a subscription may be another one now. What it is, is asked of Stripe. */
export const WEBHOOK_EVENTS = [
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.async_payment_failed",
  "customer.deleted",
  "customer.subscription.created",
  "customer.subscription.updated",
  "customer.subscription.deleted",
  "customer.subscription.paused",
  "customer.subscription.resumed",
  "invoice.paid",
  "invoice.payment_failed",
] as const;
