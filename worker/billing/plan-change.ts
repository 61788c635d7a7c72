import { nextBillingPeriod } from "#domain/billing-period.ts";
import { allowsExpiration, FOREVER_GRACE_MS, planOf, type PlanId } from "#domain/plans.ts";
import type { Services } from "../services.ts";
import type { BillingChange, BillingRow } from "../db/billing.ts";
import { filesWillExpireMessage } from "../mail/messages/billing.tsx";
import { renderMessage } from "../mail/render.tsx";

/**
 * What a change of plan does to the files that never expire: nothing, or they end, and their owner is told.
 * @param now epoch milliseconds
 */
export function endingOfForever(
  { settings }: Services,
  row: BillingRow,
  planType: PlanId,
  now: number,
): BillingChange["foreverEnds"] {
  if (!allowsExpiration(row.planType, "never") || allowsExpiration(planType, "never")) return null;
  const at = now + FOREVER_GRACE_MS;
  const message = filesWillExpireMessage(row.email, planOf(planType).name, new Date(at), settings.origin);
  return { at, mail: renderMessage(message) };
}

/** The billing month goes on as it is. */
export const AS_IT_IS: BillingChange["period"] = { start: null, end: null };

/**
 * The billing month of somebody whose paid months are over: the one that runs goes on, with what it has taken, until
 * the sign-up date; where it has ended, the next one begins.
 * @param now epoch milliseconds
 */
export function freePeriod(row: BillingRow, now: number): BillingChange["period"] {
  const endedAt = row.periodEnd.getTime();
  const next = nextBillingPeriod(row.signedUpAt.getTime(), Math.min(endedAt, now), now);
  return endedAt > now ? { start: null, end: next.end } : next;
}
