import { DAY_MS, HOUR_MS, MINUTE_MS } from "./units.ts";

/** The interval of the cron in wrangler.toml. A test compares wrangler.toml with this value. */
export const CRON_INTERVAL_MS = MINUTE_MS;

/** The FAQ, the landing page and the privacy policy promise "within minutes". Tests check these texts and the sweep. */
export const EXPIRED_BYTES_DELETED_WITHIN_MS = 5 * MINUTE_MS;

/** An unfinished upload is abandoned if no part completes for this long. */
export const ABANDONED_AFTER_MS = DAY_MS;

/** An upload through a request is abandoned this long after its start if no byte has arrived. */
export const SILENT_START_MS = HOUR_MS;

/** The lifetime of an unfinished upload whose bytes can be downloaded: a transfer, or a file in segments. */
export const UNFINISHED_LINK_TTL_MS = 7 * DAY_MS;

/**
 * How long a visitor's upload token is valid after its last use: the lifetime of an unfinished transfer, and then of
 * the finished transfer until it expires. A test compares this time with the free plan's longest expiry.
 */
export const VISITOR_TOKEN_TTL_MS = UNFINISHED_LINK_TTL_MS + 3 * DAY_MS;

/** An upload's Durable Object deletes itself this long after the final phase. After the deletion only D1 answers. */
export const SETTLED_SESSION_TTL_MS = HOUR_MS;

/** A younger object without a row may belong to an upload that is not abandoned yet. */
export const ORPHAN_MIN_AGE_MS = ABANDONED_AFTER_MS;

/** Objects under `incoming/` that are older belong to no upload, and are deleted. */
export const INCOMING_RETENTION_MS = DAY_MS;

/** Whether this is the cron's first run of an hour. */
export function isHourlyRun(now: number): boolean {
  return now % HOUR_MS < CRON_INTERVAL_MS;
}

/** Whether this is the cron's first run of a UTC day, in which the sweep lists `incoming/`. */
export function isDailyRun(now: number): boolean {
  return now % DAY_MS < CRON_INTERVAL_MS;
}

/** The ends of an upload that each later call names again, because another try would end in the same way. */
const LASTING_ENDS = ["FILE_CHANGED", "CONTENT_BLOCKED", "KIND_REFUSED"] as const;

/** @param endCode of the upload's end; null if it is unknown @returns the code of the error for a later call */
export function closedCode(endCode: string | null): (typeof LASTING_ENDS)[number] | "UPLOAD_CLOSED" {
  return LASTING_ENDS.find((code) => code === endCode) ?? "UPLOAD_CLOSED";
}
