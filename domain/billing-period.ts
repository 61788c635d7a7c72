/** A billing month in epoch milliseconds. `end` is exclusive. */
export interface BillingPeriod {
  start: number;
  end: number;
}

/** Months start on the anchor's day, or on the last day of a shorter month. `now` must not be before `anchor`. */
export function billingPeriodAt(anchor: number, now: number): BillingPeriod {
  const from = new Date(anchor);
  const to = new Date(now);
  let months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  if (monthsAfter(anchor, months) > now) months -= 1;
  return { start: monthsAfter(anchor, months), end: monthsAfter(anchor, months + 1) };
}

/**
 * The billing month that contains `now`, when the month before it ended at `endedAt`, which is not after `now`. The new
 * month starts at `endedAt` or later.
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
