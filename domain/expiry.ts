import { DAY_MS, HOUR_MS, MIB, MINUTE_MS } from "./units.ts";

/** The nine choices on the wire, shortest first (specification 1 section 9). */
export const EXPIRATIONS = ["3m", "6h", "1d", "3d", "7d", "30d", "60d", "1y", "never"] as const;
export type Expiration = (typeof EXPIRATIONS)[number];

/** What is selected when nobody chose (decisions, Expiry). */
export const DEFAULT_EXPIRATION: Expiration = "3d";

/** Above this size the default expiry becomes one hour for each such amount begun (specification 1 section 9). */
export const AUTO_EXPIRY_STEP_BYTES = 100 * MIB;

const TTL_MS: Record<Expiration, number | null> = {
  "3m": 3 * MINUTE_MS,
  "6h": 6 * HOUR_MS,
  "1d": DAY_MS,
  "3d": 3 * DAY_MS,
  "7d": 7 * DAY_MS,
  "30d": 30 * DAY_MS,
  "60d": 60 * DAY_MS,
  "1y": 365 * DAY_MS,
  never: null,
};

/** The words for a choice, as the dropdown shows them, in the language of mails, rows and refusals. */
export const EXPIRATION_LABELS = {
  "3m": "3 minutes",
  "6h": "6 hours",
  "1d": "1 day",
  "3d": "3 days",
  "7d": "7 days",
  "30d": "30 days",
  "60d": "60 days",
  "1y": "1 year",
  never: "Keep Forever",
} as const satisfies Record<Expiration, string>;

/** The same, of one choice. */
export function expirationLabel(expiration: Expiration): string {
  return EXPIRATION_LABELS[expiration];
}

/** What a choice is called within a sentence: "kept forever". */
export function inSentence(expiration: Expiration): Exclude<Expiration, "never"> | "forever" {
  return expiration === "never" ? "forever" : expiration;
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
  const applies = expiration === DEFAULT_EXPIRATION && !expirationChosen && sizeBytes > AUTO_EXPIRY_STEP_BYTES;
  return applies ? Math.ceil(sizeBytes / AUTO_EXPIRY_STEP_BYTES) : null;
}

/**
 * When a file stops being readable.
 * @param from epoch milliseconds the lifetime counts from: the moment the upload finished (decisions, Expiry)
 * @returns epoch milliseconds, or null for never
 */
export function expiresAt(lifetime: Lifetime, from: number): number | null {
  const hours = automaticHours(lifetime);
  if (hours !== null) return from + hours * HOUR_MS;
  const ttlMs = TTL_MS[lifetime.expiration];
  return ttlMs === null ? null : from + ttlMs;
}

/** Whether a file is past its time: from that millisecond on, not after it (decisions, Expiry). */
export function isExpired(expiresAtMs: number | null, now: number): boolean {
  return expiresAtMs !== null && now >= expiresAtMs;
}
