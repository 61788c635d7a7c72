import { DAY_MS, HOUR_MS, MINUTE_MS } from "../units.ts";

/** The most downloads that a sender may allow; the least is one. */
export const MAX_DOWNLOADS = 1000;

/** Unfinished copies that a link gives away beyond its limit before it waits for its owner. */
export const SPARE_COPIES = 3;

/** A lease lapses after this time without a sign of life. A running response renews it far more often. */
export const LEASE_SILENCE_MS = 15 * MINUTE_MS;
/** A lease that has finished no file lapses after this time, however busy it is. */
export const LEASE_MAX_MS = DAY_MS;
/** After each finished file, for the other files, or for the same one if the reader's disk was full. */
export const LEASE_AFTER_FILE_MS = HOUR_MS;
/** What a lapsed lease has read stays known for this time, so that its browser can go on. */
export const LAPSED_LEASE_KEPT_MS = DAY_MS;

export function isDownloadLimit(limit: number): boolean {
  return Number.isInteger(limit) && limit >= 1 && limit <= MAX_DOWNLOADS;
}
