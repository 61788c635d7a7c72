import { isFree, PLAN_IDS, type PlanId } from "#domain/plans.ts";

/** The localStorage key of the plan that a user wants to buy, kept while they confirm their email address or pay. */
const KEY = "checkout-attempt";

/** Saves the plan that the user wants to buy. Does nothing for the free plan. */
export function saveCheckoutAttempt(planType: PlanId): void {
  if (!isFree(planType)) localStorage.setItem(KEY, planType);
}

export function readCheckoutAttempt(): PlanId | null {
  return parsePlanId(localStorage.getItem(KEY));
}

export function forgetCheckoutAttempt(): void {
  localStorage.removeItem(KEY);
}

export function parsePlanId(text: string | null): PlanId | null {
  return PLAN_IDS.find((id) => id === text) ?? null;
}
