import { useHydrated } from "#app/lib/clock.ts";
import { useLocale } from "#app/lib/i18n/messages.ts";

interface DateTimeProps {
  /** ISO 8601. */
  at: string;
  withTime?: boolean;
}

/**
 * A date as "Jan 31, 2026" in English (decision 024), with second and time zone in the tooltip. In UTC until hydration:
 * the server does not know the reader's time zone.
 */
export function DateTime({ at, withTime = false }: DateTimeProps) {
  const locale = useLocale();
  const zone = useHydrated() ? {} : { timeZone: "UTC" };
  const date = new Date(at);
  const day = date.toLocaleDateString(locale, { month: "short", day: "2-digit", year: "numeric", ...zone });
  const time = date.toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", ...zone });
  return (
    <time
      dateTime={at}
      title={date.toLocaleString(locale, { dateStyle: "long", timeStyle: "long", ...zone })}
      className="sm:whitespace-nowrap"
    >
      {withTime ? `${day}, ${time}` : day}
    </time>
  );
}
