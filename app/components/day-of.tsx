import { useHydrated } from "#app/clock.ts";

/** A day, in the reader's own time zone, which only the browser knows. @param moment ISO 8601 */
export function DayOf({ moment }: { moment: string }) {
  const zone = useHydrated() ? {} : { timeZone: "UTC" };
  return <time dateTime={moment}>{new Date(moment).toLocaleDateString("en-US", { dateStyle: "long", ...zone })}</time>;
}
