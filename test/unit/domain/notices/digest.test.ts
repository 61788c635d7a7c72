import { describe, expect, it } from "vitest";
import { digestDay, localMinute } from "#domain/notices/when-mailed.ts";

const at = (iso: string) => Date.parse(iso);
const day = (timeZone: string, oldest: string, now: string, lastDay: string | null = null) =>
  digestDay({ oldestAt: at(oldest), lastDay, timeZone }, at(now));

describe("the mail of the day", () => {
  it.each([
    // Winter and summer, with the nights in which clocks change.
    ["Europe/Berlin", "2026-01-14T23:30:00Z", "2026-01-15T07:00:00Z", "2026-01-15"],
    ["Europe/Berlin", "2026-03-28T23:30:00Z", "2026-03-29T06:00:00Z", "2026-03-29"],
    ["Europe/Berlin", "2026-10-24T23:30:00Z", "2026-10-25T07:00:00Z", "2026-10-25"],
    ["America/New_York", "2026-03-08T04:59:00Z", "2026-03-08T12:00:00Z", "2026-03-08"],
    ["America/New_York", "2026-11-01T04:59:00Z", "2026-11-01T13:00:00Z", "2026-11-01"],
    // No change of clocks, and a quarter of an hour beside the others.
    ["Asia/Kathmandu", "2026-06-01T18:20:00Z", "2026-06-02T02:15:00Z", "2026-06-02"],
    // A day ahead of UTC, and a day behind it.
    ["Pacific/Auckland", "2026-06-30T11:59:00Z", "2026-06-30T20:00:00Z", "2026-07-01"],
    ["Pacific/Pago_Pago", "2026-07-01T10:59:00Z", "2026-07-01T19:00:00Z", "2026-07-01"],
  ])("in %s: what happened at %s is told at %s, not a minute before [NOTE-4]", (timeZone, oldest, now, expected) => {
    expect(day(timeZone, oldest, now)).toBe(expected);
    expect(digestDay({ oldestAt: at(oldest), lastDay: null, timeZone }, at(now) - 60_000)).toBeNull();
  });

  it("comes once a day, and on the next day again [NOTE-4]", () => {
    expect(day("Europe/Berlin", "2026-01-15T05:00:00Z", "2026-01-15T07:30:00Z", "2026-01-15")).toBeNull();
    expect(day("Europe/Berlin", "2026-01-15T05:00:00Z", "2026-01-16T07:00:00Z", "2026-01-15")).toBe("2026-01-16");
  });

  it("leaves what happens after eight o'clock for the next day", () => {
    expect(day("Europe/Berlin", "2026-01-15T07:00:00Z", "2026-01-15T22:00:00Z")).toBeNull();
    expect(day("Europe/Berlin", "2026-01-15T07:00:00Z", "2026-01-16T07:00:00Z")).toBe("2026-01-16");
  });

  it("comes later on the day when it could not be made at eight o'clock", () => {
    expect(day("Europe/Berlin", "2026-01-15T05:00:00Z", "2026-01-15T22:00:00Z")).toBe("2026-01-15");
  });

  it("does not come twice for a day to somebody who travels west", () => {
    expect(day("America/New_York", "2026-01-15T08:00:00Z", "2026-01-15T13:00:00Z", "2026-01-15")).toBeNull();
  });
});

it("midnight begins a day", () => {
  expect(localMinute(at("2026-01-14T23:00:00Z"), "Europe/Berlin")).toBe("2026-01-15T00:00");
});
