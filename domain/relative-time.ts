import type { Locale } from "./locale.ts";
import { daysBetween } from "./relative-date.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./units.ts";

/** Longer ago than this, a date says more. */
const SHOW_DAYS_BELOW = 30;

/** Within a sentence, in the local time zone: "now", "5 minutes ago", "3 hours ago", "yesterday", "March 1, 2026". */
export function relativeTime(then: Date, now: Date, locale: Locale): string {
  const agoMs = Math.max(0, now.getTime() - then.getTime());
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  if (agoMs < MINUTE_MS) return format.format(0, "second");
  if (agoMs < HOUR_MS) return format.format(-Math.floor(agoMs / MINUTE_MS), "minute");
  if (agoMs < DAY_MS) return format.format(-Math.floor(agoMs / HOUR_MS), "hour");
  const days = daysBetween(then, now);
  return days < SHOW_DAYS_BELOW ? format.format(-days, "day") : then.toLocaleDateString(locale, { dateStyle: "long" });
}
