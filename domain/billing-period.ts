/** A billing month: from `start`, up to but not including `end`. Epoch milliseconds. */
export interface BillingPeriod {
  start: number;
  end: number;
}

/**
 * The billing month that `now` lies in, counted from the day of sign-up or subscription. Where a month lacks that
 * day (the 29th to 31st) its last day stands in, and later months return to the day itself.
 * @param anchor epoch milliseconds of the first day
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
 * The billing month that follows one which has ended: it begins no earlier than that end, and ends on the billing date.
 * @param anchor epoch milliseconds of the billing date
 * @param endedAt epoch milliseconds at which the last month ended
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
