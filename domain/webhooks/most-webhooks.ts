import { isFree, type PlanId } from "../plans.ts";

/** Of one account. Not in the table of plans, which the first page loads. */
export function mostWebhooks(plan: PlanId): number {
  return isFree(plan) ? 1 : 5;
}
