import { LOCALES, type Locale } from "./locale.ts";

export const KIB = 1024;
export const MIB = 1024 * KIB;
export const GIB = 1024 * MIB;
export const TIB = 1024 * GIB;

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const BYTE_UNITS = ["Bytes", "KB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"] as const;

const ungrouped = (locale: Locale) => new Intl.NumberFormat(locale, { useGrouping: false });
const UNGROUPED: Record<Locale, Intl.NumberFormat> = { en: ungrouped("en"), de: ungrouped("de") };
/** The space between a number and its unit. The German space does not break (DIN 5008). */
const SPACE: Record<Locale, string> = { en: " ", de: "\u00a0" };

/** Base 1024, at most two decimals (decision 024), such as "1.5 KB". English by default, for emails, logs and rows. */
export function formatBytes(sizeBytes: number, locale: Locale = LOCALES[0]): string {
  if (!(sizeBytes >= 1)) return `0${SPACE[locale]}Bytes`;
  const power = Math.min(Math.floor(Math.log2(sizeBytes) / 10), BYTE_UNITS.length - 1);
  const rounded = Number((sizeBytes / 1024 ** power).toFixed(2));
  const carries = rounded === 1024 && power < BYTE_UNITS.length - 1;
  const [count, unit] = carries ? [1, power + 1] : [rounded, power];
  return `${UNGROUPED[locale].format(count)}${SPACE[locale]}${BYTE_UNITS[unit]}`;
}

/** Up to 60 s in seconds, below an hour in minutes (decision 024), then in hours and minutes. Rounds up. */
export function formatDuration(durationMs: number): string {
  const seconds = Math.max(1, Math.ceil(durationMs / SECOND_MS));
  if (seconds <= 60) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export interface CountdownPart {
  unit: "day" | "hour" | "minute" | "second";
  count: number;
}

/** Shows seconds only in the last hour. Rounds down, to never show more time than is left. Negative counts as zero. */
export function countdown(leftMs: number): CountdownPart[] {
  const left = Math.max(0, leftMs);
  const part = (unit: CountdownPart["unit"], unitMs: number, roundMs = Infinity): CountdownPart => ({
    unit,
    count: Math.floor((left % roundMs) / unitMs),
  });
  const days = part("day", DAY_MS);
  const hours = part("hour", HOUR_MS, DAY_MS);
  const minutes = part("minute", MINUTE_MS, HOUR_MS);
  const seconds = part("second", SECOND_MS, MINUTE_MS);
  if (days.count > 0) return [days, hours, minutes];
  if (hours.count > 0) return [hours, minutes];
  return minutes.count > 0 ? [minutes, seconds] : [seconds];
}

/** @returns for example "2026-01-31" */
export function utcDay(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}

const BYTES_OF_UNIT: Readonly<Record<string, number>> = { kb: KIB, mb: MIB, gb: GIB, tb: TIB };

/** Reads a typed size, such as "1.5 GB" or "1,5gb". @returns bytes; NaN for anything else; null for no text */
export function parseSize(text: string): number | null {
  const typed = text.trim();
  if (typed === "") return null;
  const [, number = "", unit = ""] = /^(\d{1,6}(?:[.,]\d{1,3})?)\s*([kmgt]b)$/i.exec(typed) ?? [];
  const factor = BYTES_OF_UNIT[unit.toLowerCase()];
  return factor === undefined ? NaN : Math.round(Number(number.replace(",", ".")) * factor);
}
