import { expect, it } from "vitest";
import { relativeDate } from "#domain/relative-date.ts";

const NOW = new Date(2026, 2, 31, 0, 5);

const daysAgo = (days: number, hour = 23) => new Date(2026, 2, 31 - days, hour, 59);

it.each([
  [new Date(2026, 2, 31, 0, 0), "Today"],
  [new Date(2026, 2, 31, 23, 59), "Today"],
  [daysAgo(1), "Yesterday"],
  [daysAgo(1, 0), "Yesterday"],
  [daysAgo(2), "2 days ago"],
  [daysAgo(6), "6 days ago"],
  [daysAgo(7), "1 week ago"],
  [daysAgo(13), "1 week ago"],
  [daysAgo(14), "2 weeks ago"],
  [daysAgo(29), "4 weeks ago"],
  [daysAgo(30), "March 1, 2026"],
  [new Date(2025, 11, 24), "December 24, 2025"],
])("%s is %s [DASH-13, DASH-14]", (then, label) => {
  expect(relativeDate(then, NOW, "en")).toBe(label);
});

it.each([
  [NOW, "Heute"],
  [daysAgo(1), "Gestern"],
  [daysAgo(6), "Vor 6 Tagen"],
  [daysAgo(7), "Vor 1 Woche"],
  [daysAgo(30), "1. März 2026"],
])("%s is %s in German", (then, label) => {
  expect(relativeDate(then, NOW, "de")).toBe(label);
});
