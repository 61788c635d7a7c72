import { describe, expect, it } from "vitest";
import { billingPeriodAt, nextBillingPeriod } from "#domain/billing-period.ts";

const at = (text: string) => Date.parse(`${text}Z`);
const iso = ({ start, end }: { start: number; end: number }) =>
  [start, end].map((moment) => new Date(moment).toISOString().slice(0, 16));

describe("the billing month", () => {
  it.each([
    ["2026-01-15T10:30", "2026-01-15T10:30", "2026-01-15T10:30", "2026-02-15T10:30"],
    ["2026-01-15T10:30", "2026-02-15T10:29", "2026-01-15T10:30", "2026-02-15T10:30"],
    ["2026-01-15T10:30", "2026-02-15T10:30", "2026-02-15T10:30", "2026-03-15T10:30"],
    ["2026-12-10T00:00", "2027-01-05T00:00", "2026-12-10T00:00", "2027-01-10T00:00"],
    ["2026-01-01T00:00", "2026-12-31T23:59", "2026-12-01T00:00", "2027-01-01T00:00"],
    ["2020-05-20T00:00", "2026-11-19T23:59", "2026-10-20T00:00", "2026-11-20T00:00"],
    // The 31st: the last day stands in, and the 31st comes back.
    ["2026-01-31T08:00", "2026-02-10T00:00", "2026-01-31T08:00", "2026-02-28T08:00"],
    ["2026-01-31T08:00", "2026-02-28T08:00", "2026-02-28T08:00", "2026-03-31T08:00"],
    ["2026-01-31T08:00", "2026-03-31T07:59", "2026-02-28T08:00", "2026-03-31T08:00"],
    ["2026-01-31T08:00", "2026-04-30T08:00", "2026-04-30T08:00", "2026-05-31T08:00"],
    ["2026-08-31T08:00", "2026-09-29T00:00", "2026-08-31T08:00", "2026-09-30T08:00"],
    // The 30th and 29th, in a year with and without a 29th of February.
    ["2027-12-30T00:00", "2028-02-15T00:00", "2028-01-30T00:00", "2028-02-29T00:00"],
    ["2027-12-30T00:00", "2028-03-01T00:00", "2028-02-29T00:00", "2028-03-30T00:00"],
    ["2026-01-29T00:00", "2026-02-28T00:00", "2026-02-28T00:00", "2026-03-29T00:00"],
    ["2028-01-29T00:00", "2028-02-28T23:59", "2028-01-29T00:00", "2028-02-29T00:00"],
    ["2028-02-29T00:00", "2029-02-28T00:00", "2029-02-28T00:00", "2029-03-29T00:00"],
    ["2028-02-29T00:00", "2032-02-29T00:00", "2032-02-29T00:00", "2032-03-29T00:00"],
  ])("of a sign-up at %s, seen at %s, goes from %s to %s", (anchor, now, start, end) => {
    expect(iso(billingPeriodAt(at(anchor), at(now)))).toEqual([start, end]);
  });

  it.each([29, 30, 31])("begins the millisecond the one before it ends, for a sign-up on the %dth", (day) => {
    const anchor = Date.UTC(2026, 0, day, 13, 14, 15, 16);
    let period = billingPeriodAt(anchor, anchor);
    expect(period.start).toBe(anchor);
    for (let month = 0; month < 60; month += 1) {
      expect(billingPeriodAt(anchor, period.end - 1)).toEqual(period);
      const next = billingPeriodAt(anchor, period.end);
      expect(next.start).toBe(period.end);
      expect(new Date(next.start).getUTCMonth()).toBe((new Date(period.start).getUTCMonth() + 1) % 12);
      period = next;
    }
    expect(period.start).toBe(Date.UTC(2031, 0, day, 13, 14, 15, 16));
  });
});

describe("the month after an ended month", () => {
  it.each([
    // The billing date comes round: the next month is the ordinary one.
    ["2026-01-31T00:00", "2026-02-28T00:00", "2026-02-28T00:01", "2026-02-28T00:00", "2026-03-31T00:00"],
    // A month that ended on another day than the billing date is followed to the billing date.
    ["2026-01-15T00:00", "2026-03-20T00:00", "2026-03-20T00:00", "2026-03-20T00:00", "2026-04-15T00:00"],
    // Nobody came for months: they are skipped.
    ["2026-01-15T00:00", "2026-02-15T00:00", "2026-06-20T00:00", "2026-06-15T00:00", "2026-07-15T00:00"],
  ])("from %s, ended at %s, is at %s %s to %s", (anchor, ended, now, start, end) => {
    expect(iso(nextBillingPeriod(at(anchor), at(ended), at(now)))).toEqual([start, end]);
  });
});
