import { useLocale } from "#app/lib/i18n/messages.ts";
import { regionOf } from "#app/lib/i18n/region.ts";

/** @returns writes an ISO 8601 moment as date and time in the reader's language */
export function useDate(): (moment: string) => string {
  const locale = useLocale();
  return (moment) => new Date(moment).toLocaleString(regionOf(locale), { dateStyle: "medium", timeStyle: "short" });
}
