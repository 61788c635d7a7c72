import { isFree, PLAN_IDS, type PlanId } from "#domain/plans.ts";

/** What somebody set out to buy, kept while they confirm their address, or are away at the payment provider's. */
const KEY = "checkout-attempt";

/** Remembers a plan that costs something. */
export function saveCheckoutAttempt(planType: PlanId): void {
  if (!isFree(planType)) localStorage.setItem(KEY, planType);
}

/** The plan of the stored attempt, or null. */
export function readCheckoutAttempt(): PlanId | null {
  return toPlanId(localStorage.getItem(KEY));
}

export function forgetCheckoutAttempt(): void {
  localStorage.removeItem(KEY);
}

/** The plan of that id, or null. */
export function toPlanId(text: string | null): PlanId | null {
  return PLAN_IDS.find((id) => id === text) ?? null;
}
