import { DAY_MS, HOUR_MS, MINUTE_MS } from "./units.ts";

/** An unfinished upload that got no receipt for this long was abandoned. */
export const ABANDONED_AFTER_MS = DAY_MS;

/** How long a finished upload's Durable Object still answers for it before D1 does alone (design, One picture). */
export const SETTLED_SESSION_TTL_MS = HOUR_MS;

/**
 * An object that no row wants and that is older than this is nobody's: no unfinished upload's last sign of life is older,
 * and an upload's row is there before its object.
 */
export const ORPHAN_MIN_AGE_MS = ABANDONED_AFTER_MS;

/** Whatever lies under `incoming/` for longer than this belongs to no upload (design, One picture). */
export const INCOMING_RETENTION_MS = DAY_MS;

/**
 * Whether a minute's run of the cron is the hour's that lists `incoming/`: a listing costs as much as all else that a run
 * does when there is nothing to do, and what lies there may wait.
 * @param now epoch milliseconds
 */
export function isHourlyRun(now: number): boolean {
  return now % HOUR_MS < MINUTE_MS;
}
