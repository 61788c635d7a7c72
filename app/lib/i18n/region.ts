import type { Locale } from "#domain/locale.ts";

/**
 * The reader's own variety of the page's language, such as British English: it writes dates in its own way. Only the
 * browser knows it, and some name one that no function takes, such as "en-US@posix" (RFC 5646 has no "@").
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
