import { useHydrated } from "#app/lib/clock.ts";
import { useLocale } from "#app/lib/i18n/messages.ts";

interface DayOfProps {
  /** ISO 8601. */
  moment: string;
  dateStyle?: "long" | "medium";
}

/** A day, in the reader's own time zone, which only the browser knows. */
export function Day({ moment, dateStyle = "long" }: DayOfProps) {
  const locale = useLocale();
  const zone = useHydrated() ? {} : { timeZone: "UTC" };
  return <time dateTime={moment}>{new Date(moment).toLocaleDateString(locale, { dateStyle, ...zone })}</time>;
}
