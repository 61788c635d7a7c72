import { PLAN_IDS, type PlanId } from "#domain/plans.ts";

/** What somebody set out to buy, kept while they are away at the payment provider's. */
const KEY = "checkout-attempt";

export function keepCheckoutAttempt(planType: PlanId): void {
  localStorage.setItem(KEY, planType);
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
