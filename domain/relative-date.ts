import { DAY_MS } from "./units.ts";

/** Below these many days a date is told in days, and in weeks (specification 1 section 9). */
const DAYS_BELOW = 7;
const WEEKS_BELOW = 30;

/**
 * How long ago a day was, as the dashboard says it (specification 1 section 2), in the time zone of whoever reads it.
 * @returns for example "Today", "3 days ago", "2 weeks ago", "March 1, 2026"
 */
export function relativeDate(then: Date, now: Date): string {
  const days = Math.round((midnight(now) - midnight(then)) / DAY_MS);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  if (days < DAYS_BELOW) return `${days} days ago`;
  if (days < WEEKS_BELOW) {
    const weeks = Math.floor(days / 7);
    return weeks === 1 ? "1 week ago" : `${weeks} weeks ago`;
  }
  return then.toLocaleDateString("en-US", { dateStyle: "long" });
}

function midnight(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
