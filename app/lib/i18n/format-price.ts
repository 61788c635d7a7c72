import type { Locale } from "#domain/locale.ts";

/**
 * Leaves out cents that are zero.
 * @param usd US dollars
 * @returns for example "$9.99", "9,99 $", "$0"
 */
export function formatPrice(usd: number, locale: Locale): string {
  return usd.toLocaleString(locale, { style: "currency", currency: "USD", trailingZeroDisplay: "stripIfInteger" });
}
