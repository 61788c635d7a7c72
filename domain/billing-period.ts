/** A billing month in epoch milliseconds. `end` is exclusive. */
export interface BillingPeriod {
  start: number;
  end: number;
}

/**
 * Finds the billing month that contains `now`. Months start on the anchor's day. A month without that day (29 to 31)
 * starts on its last day; later months use the anchor's day again.
 * @param anchor epoch milliseconds of the sign-up or subscription
 * @param now epoch milliseconds, not before `anchor`
 */
export function billingPeriodAt(anchor: number, now: number): BillingPeriod {
  const from = new Date(anchor);
  const to = new Date(now);
  let months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  if (monthsAfter(anchor, months) > now) months -= 1;
  return { start: monthsAfter(anchor, months), end: monthsAfter(anchor, months + 1) };
}

/**
 * Finds the current billing month after an earlier one has ended. It starts no earlier than that end.
 * @param anchor epoch milliseconds of the sign-up or subscription
 * @param endedAt epoch milliseconds of the last month's end
 * @param now epoch milliseconds, not before `endedAt`
 */
export function nextBillingPeriod(anchor: number, endedAt: number, now: number): BillingPeriod {
  const { start, end } = billingPeriodAt(anchor, now);
  return { start: Math.max(start, endedAt), end };
}

function monthsAfter(anchor: number, months: number): number {
  const from = new Date(anchor);
  const result = new Date(anchor);
  result.setUTCDate(1);
  result.setUTCMonth(from.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(result.getUTCFullYear(), result.getUTCMonth() + 1, 0)).getUTCDate();
  result.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return result.getTime();
}
