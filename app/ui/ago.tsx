import { useHydrated, useServerAhead } from "#app/lib/clock.ts";
import { useLocale } from "#app/lib/i18n/messages.ts";
import { regionOf } from "#app/lib/i18n/region.ts";
import { relativeTime } from "#domain/relative-time.ts";

interface AgoProps {
  /** ISO 8601. */
  moment: string;
  /** When it was read, epoch milliseconds of the browser's clock. */
  now: number;
}

/** How long ago something happened. The date in UTC until hydrated: the server does not know the reader's time zone. */
export function Ago({ moment, now }: AgoProps) {
  const locale = useLocale();
  const hydrated = useHydrated();
  const aheadMs = useServerAhead();
  const then = new Date(moment);
  if (!hydrated) return <time dateTime={moment}>{moment.slice(0, 10)}</time>;
  return (
    <time dateTime={moment} title={then.toLocaleString(regionOf(locale), { dateStyle: "medium", timeStyle: "short" })}>
      {relativeTime(then, new Date(now + aheadMs), locale)}
    </time>
  );
}
