import type { Locale } from "#domain/locale.ts";

/**
 * Picks the browser's regional variant of the page's language, such as en-GB, so that dates follow the reader's habits.
 * Skips invalid tags such as "en-US@posix": Intl throws for them.
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
