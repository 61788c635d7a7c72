import { DAY_MS, HOUR_MS, MIB, MINUTE_MS } from "./units.ts";

/** The nine choices on the wire, shortest first (specification 1 section 9). */
export const EXPIRATIONS = ["3m", "6h", "1d", "3d", "7d", "30d", "60d", "1y", "never"] as const;
export type Expiration = (typeof EXPIRATIONS)[number];

/** What is selected when nobody chose (decisions, Expiry). */
export const DEFAULT_EXPIRATION: Expiration = "3d";

/** Above this size the default expiry becomes one hour for each such amount begun (specification 1 section 9). */
export const LARGE_FILE_BYTES = 100 * MIB;

const CHOICES: Record<Expiration, { label: string; ttlMs: number | null }> = {
  "3m": { label: "3 minutes", ttlMs: 3 * MINUTE_MS },
  "6h": { label: "6 hours", ttlMs: 6 * HOUR_MS },
  "1d": { label: "1 day", ttlMs: DAY_MS },
  "3d": { label: "3 days", ttlMs: 3 * DAY_MS },
  "7d": { label: "7 days", ttlMs: 7 * DAY_MS },
  "30d": { label: "30 days", ttlMs: 30 * DAY_MS },
  "60d": { label: "60 days", ttlMs: 60 * DAY_MS },
  "1y": { label: "1 year", ttlMs: 365 * DAY_MS },
  never: { label: "Keep Forever", ttlMs: null },
};

/** The words for a choice, as the dropdown shows them. */
export function expirationLabel(expiration: Expiration): string {
  return CHOICES[expiration].label;
}

/** Whether `expiration` keeps a file no longer than `longest` does. */
export function isWithin(expiration: Expiration, longest: Expiration): boolean {
  return EXPIRATIONS.indexOf(expiration) <= EXPIRATIONS.indexOf(longest);
}

export interface Lifetime {
  expiration: Expiration;
  /** True when a person picked the entry; false for the untouched default. */
  expirationChosen: boolean;
  sizeBytes: number;
}

/**
 * How many hours the automatic rule keeps a large file on the untouched default:
 * ceil(size / 100 MB) (specification 1 section 9; decisions, Expiry).
 * @returns hours, or null when the rule does not apply
 */
export function automaticHours({ expiration, expirationChosen, sizeBytes }: Lifetime): number | null {
  const applies = expiration === DEFAULT_EXPIRATION && !expirationChosen && sizeBytes > LARGE_FILE_BYTES;
  return applies ? Math.ceil(sizeBytes / LARGE_FILE_BYTES) : null;
}

/**
 * When a file stops being readable.
 * @param from epoch milliseconds the lifetime counts from: the moment the upload finished (decisions, Expiry)
 * @returns epoch milliseconds, or null for never
 */
export function expiresAt(lifetime: Lifetime, from: number): number | null {
  const hours = automaticHours(lifetime);
  if (hours !== null) return from + hours * HOUR_MS;
  const { ttlMs } = CHOICES[lifetime.expiration];
  return ttlMs === null ? null : from + ttlMs;
}

/** Whether a file is past its time: from that millisecond on, not after it (decisions, Expiry). */
export function isExpired(expiresAtMs: number | null, now: number): boolean {
  return expiresAtMs !== null && now >= expiresAtMs;
}
