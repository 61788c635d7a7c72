import { DAY_MS, utcDay } from "./units.ts";

/** The administrator is warned when the database is this full, in percent of its limit (decision 052). */
const WARNING_PERCENTS = [60, 80] as const;
/** A warning is over once the database is this many percent below the warning's, so that a varying size warns once. */
const CALM_PERCENT = 5;
/** Growth is measured over a week, because people send less on some days of a week than on others. */
const GROWTH_DAYS = 7;

/** The size of the database when a UTC day began. */
export interface DatabaseDay {
  /** 2026-01-31 */
  day: string;
  bytes: number;
}

/** How full the database is. */
export interface DatabaseFill {
  bytes: number;
  limitBytes: number;
  /** Rounded down. */
  percent: number;
  /**
   * Days until the database is full, at the growth of the last week. Null if the growth is unknown, or if the database
   * does not grow.
   */
  daysLeft: number | null;
}

/** @param days in any order @param now epoch milliseconds */
export function databaseFill(
  bytes: number,
  limitBytes: number,
  days: readonly DatabaseDay[],
  now: number,
): DatabaseFill {
  return {
    bytes,
    limitBytes,
    percent: Math.floor((bytes * 100) / limitBytes),
    daysLeft: daysLeft(bytes, limitBytes, days, now),
  };
}

function daysLeft(bytes: number, limitBytes: number, days: readonly DatabaseDay[], now: number): number | null {
  const [first, today] = [utcDay(now - GROWTH_DAYS * DAY_MS), utcDay(now)];
  const past = days.filter(({ day }) => day >= first && day < today);
  const oldest = past.reduce((a, b) => (b.day < a.day ? b : a), past[0] ?? { day: today, bytes });
  const growth = bytes - oldest.bytes;
  if (growth <= 0) return null;
  const elapsedMs = now - Date.parse(oldest.day);
  return Math.max(0, Math.floor(((limitBytes - bytes) * elapsedMs) / growth / DAY_MS));
}

/** @returns the percentages that the database has reached, lowest first */
export function reachedWarnings({ percent }: Pick<DatabaseFill, "percent">): number[] {
  return WARNING_PERCENTS.filter((warning) => percent >= warning);
}

/** Whether the database has shrunk so far that reaching the warning's percentage again gives a new warning. */
export function isOver(warning: number, { percent }: Pick<DatabaseFill, "percent">): boolean {
  return percent < warning - CALM_PERCENT;
}
