import { useHydrated } from "#app/clock.ts";

interface DayOfProps {
  /** ISO 8601. */
  moment: string;
  dateStyle?: "long" | "medium";
}

/** A day, in the reader's own time zone, which only the browser knows. */
export function DayOf({ moment, dateStyle = "long" }: DayOfProps) {
  const zone = useHydrated() ? {} : { timeZone: "UTC" };
  return <time dateTime={moment}>{new Date(moment).toLocaleDateString("en-US", { dateStyle, ...zone })}</time>;
}
