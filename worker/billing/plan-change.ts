import { nextBillingPeriod } from "#domain/billing-period.ts";
import { allowsExpiration, FOREVER_GRACE_MS, planOf, type PlanId } from "#domain/plans.ts";
import type { BillingChange, BillingRow } from "../db/billing.ts";
import { renderMessage } from "../mail/message.tsx";
import { filesWillExpireMessage } from "../mail/messages/files.tsx";
import type { Services } from "../services.ts";

/** The new expiry of files kept forever, for a change to a plan without such files; null for any other change. */
export function foreverExpiry(
  { settings }: Services,
  row: BillingRow,
  planType: PlanId,
  now: number,
): BillingChange["endForeverFiles"] {
  if (!allowsExpiration(row.planType, "never") || allowsExpiration(planType, "never")) return null;
  const at = now + FOREVER_GRACE_MS;
  const message = filesWillExpireMessage(row.email, planOf(planType).name, new Date(at), settings.origin);
  return { at, mail: renderMessage(message) };
}

export const KEEP_PERIOD: BillingChange["period"] = { start: null, end: null };

/**
 * The billing month that follows when a paid plan ends. A month that is still running keeps its usage, and ends on a
 * monthly anniversary of the sign-up.
 */
export function freePeriod(row: BillingRow, now: number): BillingChange["period"] {
  const endedAt = row.periodEnd.getTime();
  const next = nextBillingPeriod(row.signedUpAt.getTime(), Math.min(endedAt, now), now);
  return endedAt > now ? { start: null, end: next.end } : next;
}
