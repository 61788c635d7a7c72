import { useHydrated } from "./clock.ts";
import { useLocale } from "./i18n/messages.ts";
import { regionOf } from "./i18n/region.ts";

/** Writes moments (ISO 8601). UTC until hydrated: the server does not know the reader's time zone. */
export function useMoment(): (moment: string) => string {
  const locale = useLocale();
  const hydrated = useHydrated();
  return (moment) =>
    hydrated
      ? new Date(moment).toLocaleString(regionOf(locale), { dateStyle: "medium", timeStyle: "short" })
      : `${moment.slice(0, 16).replace("T", " ")} UTC`;
}
