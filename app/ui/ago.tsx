import { useHydrated, useServerAhead } from "#app/lib/clock.ts";
import { useMoment } from "#app/lib/i18n/formats.ts";
import { useLocale } from "#app/lib/i18n/messages.ts";
import type { Locale } from "#domain/locale.ts";
import { daysBetween } from "#domain/relative-date.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/units.ts";

/** A moment that is this many days ago, or more, is shown as a date. */
const SHOW_DAYS_BELOW = 30;

interface AgoProps {
  /** ISO 8601. */
  moment: string;
  /** When the list with `moment` was read, in epoch milliseconds of the browser's clock. */
  now: number;
}

/** How long ago `moment` was. Shows the UTC date until hydrated: the server does not know the reader's time zone. */
export function Ago({ moment, now }: AgoProps) {
  const locale = useLocale();
  const hydrated = useHydrated();
  const dateOf = useMoment();
  const aheadMs = useServerAhead();
  if (!hydrated) return <time dateTime={moment}>{moment.slice(0, 10)}</time>;
  return (
    <time dateTime={moment} title={dateOf(moment)}>
      {relativeTime(new Date(moment), new Date(now + aheadMs), locale)}
    </time>
  );
}

/** "now", "5 minutes ago", "3 hours ago", "yesterday" or "March 1, 2026", in local time, for use in a sentence. */
function relativeTime(then: Date, now: Date, locale: Locale): string {
  const agoMs = Math.max(0, now.getTime() - then.getTime());
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  if (agoMs < MINUTE_MS) return format.format(0, "second");
  if (agoMs < HOUR_MS) return format.format(-Math.floor(agoMs / MINUTE_MS), "minute");
  if (agoMs < DAY_MS) return format.format(-Math.floor(agoMs / HOUR_MS), "hour");
  const days = daysBetween(then, now);
  return days < SHOW_DAYS_BELOW ? format.format(-days, "day") : then.toLocaleDateString(locale, { dateStyle: "long" });
}
