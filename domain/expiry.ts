import { DAY_MS, HOUR_MS, MIB, MINUTE_MS } from "./units.ts";

/** The lifetimes of a link, shortest first. */
export const EXPIRATIONS = ["3m", "6h", "1d", "3d", "7d", "30d", "60d", "1y", "never"] as const;
export type Expiration = (typeof EXPIRATIONS)[number];

export const DEFAULT_EXPIRATION: Expiration = "3d";

/** An exact end is at least this far ahead when it is chosen. */
export const SHORTEST_END_MS = MINUTE_MS;

/** A file above this size whose sender chose no expiry is kept one hour for each 100 MB, rounded up (decision 008). */
const AUTO_EXPIRY_STEP_BYTES = 100 * MIB;

const TTL_MS: Record<Expiration | "90d", number | null> = {
  "3m": 3 * MINUTE_MS,
  "6h": 6 * HOUR_MS,
  "1d": DAY_MS,
  "3d": 3 * DAY_MS,
  "7d": 7 * DAY_MS,
  "30d": 30 * DAY_MS,
  "60d": 60 * DAY_MS,
  "90d": 90 * DAY_MS,
  "1y": 365 * DAY_MS,
  never: null,
};

/** English labels, for mails, rows and errors. Pages translate the message group `expirations`. */
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

export function expirationLabel(expiration: Expiration): string {
  return EXPIRATION_LABELS[expiration];
}

/** Names the message (group `expirations`) for use inside a sentence, such as "kept forever". */
export function inSentence(expiration: Expiration): Exclude<Expiration, "never"> | "forever" {
  return expiration === "never" ? "forever" : expiration;
}

export function isWithin(expiration: Expiration, longest: Expiration): boolean {
  return EXPIRATIONS.indexOf(expiration) <= EXPIRATIONS.indexOf(longest);
}

export interface Lifetime {
  expiration: Expiration;
  /** False when the person left the default selected. */
  expirationChosen: boolean;
  /**
   * The exact end that the person chose instead of `expiration`, in epoch milliseconds. Then `expiration` is the
   * shortest one that was long enough for this end when the person chose it. Null or absent if `expiration` decides.
   */
  chosenEndMs?: number | null;
  sizeBytes: number;
}

/** @returns ceil(size / 100 MB) hours for a large file without a chosen expiry (decision 008); null for other files */
export function automaticHours({ expiration, expirationChosen, sizeBytes }: Lifetime): number | null {
  const applies = expiration === DEFAULT_EXPIRATION && !expirationChosen && sizeBytes > AUTO_EXPIRY_STEP_BYTES;
  return applies ? Math.ceil(sizeBytes / AUTO_EXPIRY_STEP_BYTES) : null;
}

/** @param from when the upload finished, epoch milliseconds @returns epoch milliseconds; null for never */
export function expiresAt(lifetime: Lifetime, from: number): number | null {
  const { chosenEndMs = null } = lifetime;
  if (chosenEndMs !== null) return chosenEndMs;
  const hours = automaticHours(lifetime);
  if (hours !== null) return from + hours * HOUR_MS;
  return endsAt(lifetime.expiration, from);
}

/** When a link, a key or a request ends. @param from epoch milliseconds @returns epoch milliseconds; null for never */
export function endsAt(lifetime: keyof typeof TTL_MS, from: number): number | null {
  const ttlMs = TTL_MS[lifetime];
  return ttlMs === null ? null : from + ttlMs;
}

/** @param ms milliseconds @returns the longest expiry that is not longer than `ms`, but at least the shortest expiry */
export function longestExpirationWithin(ms: number): Expiration {
  return EXPIRATIONS.findLast((expiration) => (TTL_MS[expiration] ?? Infinity) <= ms) ?? EXPIRATIONS[0];
}

/** @param ms milliseconds @returns the shortest expiry that is not shorter than `ms` */
export function shortestExpirationOf(ms: number): Expiration {
  return EXPIRATIONS.find((expiration) => (TTL_MS[expiration] ?? Infinity) >= ms) ?? "never";
}

/** Whether a file has expired. A file is expired from the millisecond of `expiresAtMs` on. */
export function isExpired(expiresAtMs: number | null, now: number): boolean {
  return expiresAtMs !== null && now >= expiresAtMs;
}
