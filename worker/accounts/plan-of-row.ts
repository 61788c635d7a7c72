import { PLAN_IDS, type PlanId } from "#domain/plans.ts";

/** @param row of `users` @throws Error for a plan that this release does not know */
export function planOfRow({ id, planType }: { id: string; planType: string }): PlanId {
  const plan = PLAN_IDS.find((candidate) => candidate === planType);
  if (!plan) throw new Error(`user ${id} has the unknown plan ${planType}`);
  return plan;
}
