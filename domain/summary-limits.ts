import { DAY_MS, SECOND_MS } from "./units.ts";

/** Longer uploads are cut to this: a file has at most 10,000 parts, and links live for days. */
export const SUMMARY_MAX = { count: 100_000, seconds: (30 * DAY_MS) / SECOND_MS } as const;

/** @returns the number within what a summary of an upload may hold */
export function cutToSummary(value: number, max: keyof typeof SUMMARY_MAX): number {
  return Math.min(Math.max(0, Math.round(value)), SUMMARY_MAX[max]);
}
