import { BYTES_OF_UNIT } from "../units.ts";

/**
 * What somebody types for a size, such as "500 MB", "1.5 GB" or "1,5gb".
 * @returns bytes; NaN for what is no size; null for nothing
 */
export function parseSize(text: string): number | null {
  const typed = text.trim();
  if (typed === "") return null;
  const [, number = "", unit = ""] = /^(\d{1,6}(?:[.,]\d{1,3})?)\s*([kmgt]b)$/i.exec(typed) ?? [];
  const factor = BYTES_OF_UNIT[unit.toLowerCase()];
  return factor === undefined ? NaN : Math.round(Number(number.replace(",", ".")) * factor);
}
