import { useHydrated } from "#app/lib/clock.ts";
import { useLocale } from "#app/lib/i18n/messages.ts";

interface MomentProps {
  /** ISO 8601. */
  at: string;
  withTime?: boolean;
}

/** A day as "MMM dd, yyyy" (specification 2 section 2), or as the reader's language writes it, in the reader's own time zone, which only the browser knows. */
export function DateTime({ at, withTime = false }: MomentProps) {
  const locale = useLocale();
  const zone = useHydrated() ? {} : { timeZone: "UTC" };
  const date = new Date(at);
  const day = date.toLocaleDateString(locale, { month: "short", day: "2-digit", year: "numeric", ...zone });
  const time = date.toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", ...zone });
  return (
    <time dateTime={at} className="whitespace-nowrap">
      {withTime ? `${day}, ${time}` : day}
    </time>
  );
}
