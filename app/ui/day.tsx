import { useHydrated } from "#app/lib/clock.ts";
import { useLocale } from "#app/lib/i18n/messages.ts";

interface DayProps {
  /** ISO 8601. */
  moment: string;
  dateStyle?: "long" | "medium";
}

/** UTC until hydrated: the server does not know the reader's time zone. */
export function Day({ moment, dateStyle = "long" }: DayProps) {
  const locale = useLocale();
  const zone = useHydrated() ? {} : { timeZone: "UTC" };
  return <time dateTime={moment}>{new Date(moment).toLocaleDateString(locale, { dateStyle, ...zone })}</time>;
}
