import type { Locale } from "#domain/locale.ts";

/**
 * The reader's own variety of the page's language, such as British English: it writes dates in its own way. Only the
 * browser knows it.
 */
export function regionOf(locale: Locale): string {
  return navigator.languages.find((tag) => tag.split("-")[0] === locale) ?? locale;
}
