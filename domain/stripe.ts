import { PLAN_IDS, type PlanId } from "./plans.ts";

/** The `metadata.app` of all objects that setup creates in Stripe, by which setup finds them. */
export const STRIPE_APP = "mayfly";

/** The lookup key of a plan's price. The ids of prices are not stored. */
export function lookupKeyOf(plan: PlanId): string {
  return `${STRIPE_APP}_${plan}_monthly`;
}

/**
 * A replaced price has no lookup key, but older subscriptions use that price: its metadata names the plan.
 * @returns null for an unknown price
 */
export function planOfPrice(price: { lookup_key: string | null; metadata: Record<string, string> }): PlanId | null {
  return PLAN_IDS.find((plan) => price.lookup_key === lookupKeyOf(plan) || price.metadata.planType === plan) ?? null;
}

/** Events after which a subscription is fetched from Stripe again. */
export const STRIPE_EVENTS = [
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
