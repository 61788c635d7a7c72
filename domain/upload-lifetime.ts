import { DAY_MS, HOUR_MS, MINUTE_MS } from "./units.ts";

/** The interval of the cron in wrangler.toml; a test compares them. */
export const CRON_INTERVAL_MS = MINUTE_MS;

/** The FAQ, the landing page and the privacy policy promise "within minutes"; tests hold them and the sweep to it. */
export const EXPIRED_BYTES_DELETED_WITHIN_MS = 5 * MINUTE_MS;

/** An unfinished upload of which no part completes for this long is abandoned. */
export const ABANDONED_AFTER_MS = DAY_MS;

/** An upload through a request is abandoned this long after its start if nothing of it has arrived. */
export const SILENT_START_MS = HOUR_MS;

/** Entries of an unfinished transfer can be downloaded, so it must not last for ever. */
export const UNFINISHED_TRANSFER_TTL_MS = 7 * DAY_MS;

/**
 * A visitor's upload token is valid for this long after its last use: an unfinished transfer, and then a finished one
 * until it expires. A test holds it to the free plan's longest expiry.
 */
export const VISITOR_TOKEN_TTL_MS = UNFINISHED_TRANSFER_TTL_MS + 3 * DAY_MS;

/** An upload's Durable Object deletes itself this long after the final phase. From then on D1 answers alone. */
export const SETTLED_SESSION_TTL_MS = HOUR_MS;

/** A younger object without a row may belong to an upload that is not abandoned yet. */
export const ORPHAN_MIN_AGE_MS = ABANDONED_AFTER_MS;

/** Older objects under `incoming/` belong to no upload and are deleted. */
export const INCOMING_RETENTION_MS = DAY_MS;

/** The sweep lists `incoming/` once an hour: a listing costs as much as the rest of an idle run. */
export function isHourlyRun(now: number): boolean {
  return now % HOUR_MS < CRON_INTERVAL_MS;
}
