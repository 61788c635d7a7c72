import type { Locale } from "#domain/locale.ts";
import { useHydrated } from "../clock.ts";
import { useLocale } from "./messages.ts";

/**
 * Picks the browser's regional variant of the page's language, such as en-GB, so that dates follow the reader's habits.
 * Skips invalid tags such as "en-US@posix", for which Intl throws.
 */
export function regionOf(locale: Locale, languages: readonly string[] = navigator.languages): string {
  return languages.find((tag) => tag.split("-")[0] === locale && isLanguageTag(tag)) ?? locale;
}

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

/** @returns a function that formats an ISO 8601 moment, in UTC until hydrated (the server knows no time zone) */
export function useMoment(): (moment: string) => string {
  const locale = useLocale();
  const hydrated = useHydrated();
  return (moment) =>
    hydrated
      ? new Date(moment).toLocaleString(regionOf(locale), { dateStyle: "medium", timeStyle: "short" })
      : `${moment.slice(0, 16).replace("T", " ")} UTC`;
}

/** @param usd US dollars @returns for example "$9.99", "9,99 $" or "$0"; cents that are zero are left out */
export function formatPrice(usd: number, locale: Locale): string {
  return usd.toLocaleString(locale, { style: "currency", currency: "USD", trailingZeroDisplay: "stripIfInteger" });
}
