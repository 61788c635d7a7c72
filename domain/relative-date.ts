import type { Locale } from "./locale.ts";
import { DAY_MS } from "./units.ts";

/** Below these many days a date is told in days, and in weeks (specification 1 section 9). */
const DAYS_BELOW = 7;
const WEEKS_BELOW = 30;

/**
 * How long ago a day was, as the dashboard says it (specification 1 section 2), in the time zone of whoever reads it.
 * @returns for example "Today", "3 days ago", "2 weeks ago", "March 1, 2026"
 */
export function relativeDate(then: Date, now: Date, locale: Locale): string {
  const days = Math.max(0, Math.round((midnight(now) - midnight(then)) / DAY_MS));
  if (days < DAYS_BELOW) {
    return capitalized(new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(-days, "day"));
  }
  if (days < WEEKS_BELOW) return capitalized(new Intl.RelativeTimeFormat(locale).format(-Math.floor(days / 7), "week"));
  return then.toLocaleDateString(locale, { dateStyle: "long" });
}

function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function midnight(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
