import type { Locale } from "./locale.ts";
import { DAY_MS } from "./units.ts";

/** Below this number of days a date is shown in days, and below `SHOW_WEEKS_BELOW` days in weeks (decision 024). */
const SHOW_DAYS_BELOW = 7;
const SHOW_WEEKS_BELOW = 30;

/** The date in the local time zone, for example "Today", "3 days ago", "2 weeks ago", "March 1, 2026". */
export function relativeDate(then: Date, now: Date, locale: Locale): string {
  const days = Math.max(0, daysBetween(then, now));
  if (days < SHOW_DAYS_BELOW) {
    return capitalize(new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(-days, "day"));
  }
  if (days < SHOW_WEEKS_BELOW)
    return capitalize(new Intl.RelativeTimeFormat(locale).format(-Math.floor(days / 7), "week"));
  return then.toLocaleDateString(locale, { dateStyle: "long" });
}

/** The number of midnights between two dates in the local time zone. */
export function daysBetween(then: Date, now: Date): number {
  return Math.round((midnight(now) - midnight(then)) / DAY_MS);
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function midnight(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
