import type { Locale } from "#domain/locale.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#domain/units.ts";

/** Such as "3 min" or "1 hr"; at least a second. */
export function formatDuration(durationMs: number, locale: Locale): string {
  const [unit, unitMs] =
    durationMs < MINUTE_MS
      ? (["second", SECOND_MS] as const)
      : durationMs < HOUR_MS
        ? (["minute", MINUTE_MS] as const)
        : (["hour", HOUR_MS] as const);
  const options = { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 0 } as const;
  return new Intl.NumberFormat(locale, options).format(Math.max(1, Math.floor(durationMs / unitMs)));
}
