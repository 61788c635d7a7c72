import type { Locale } from "#domain/locale.ts";

/**
 * A price as people read it, without cents that are none.
 * @param usd US dollars
 * @returns for example "$9.99", "9,99 $", "$0"
 */
export function formatPrice(usd: number, locale: Locale): string {
  return usd.toLocaleString(locale, { style: "currency", currency: "USD", trailingZeroDisplay: "stripIfInteger" });
}
