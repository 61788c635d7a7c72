import { fromBase64, toBase64 } from "../bytes-as-text.ts";
import { parseHttpDate } from "../http-semantics.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../units.ts";

/** The waits before the second try, the third, and so on: about three days together (Standard Webhooks). */
const DELAYS_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** A wait is longer by up to this share, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;
/** A receiver may postpone the next try by at most this time. */
const LONGEST_WAIT_MS = DAY_MS;
/** A webhook whose deliveries have all failed for this time is switched off. */
const FAILING_MS = 3 * DAY_MS;
/** The status by which a receiver asks for no more deliveries (Standard Webhooks). */
const GONE = 410;

export const DELIVERY_TIMEOUT_MS = 15 * SECOND_MS;
export const DELIVERY_RETENTION_MS = 30 * DAY_MS;
/** Downloads of one link within this time are one event. */
export const DOWNLOADS_WINDOW_MS = MINUTE_MS;
/** After a rotation, the former secret also signs for this time. */
export const FORMER_SECRET_MS = DAY_MS;

/**
 * @param attempts made so far @param random from 0 to 1 @param retryAfterMs the receiver's Retry-After
 * @returns epoch milliseconds; null after the last try
 */
export function nextAttemptAt(
  attempts: number,
  now: number,
  random: number,
  retryAfterMs: number | null,
): number | null {
  const delayMs = DELAYS_MS[attempts - 1];
  if (delayMs === undefined) return null;
  const waitMs = Math.round(delayMs * (1 + JITTER * random));
  return now + Math.max(waitMs, Math.min(retryAfterMs ?? 0, LONGEST_WAIT_MS));
}

/** @param header Retry-After (RFC 9110 section 10.2.3) @returns milliseconds; null without a valid header */
export function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * SECOND_MS;
  const at = parseHttpDate(header);
  return at === null ? null : Math.max(0, at - now);
}

/** Redirects count as failures, because a receiver has one address. */
export function isDelivered(status: number): boolean {
  return status >= 200 && status < 300;
}

/** @param status null without an answer @param failingSince first failure after a success, epoch milliseconds */
export function isToBeDisabled(status: number | null, failingSince: number, now: number): boolean {
  return status === GONE || now - failingSince >= FAILING_MS;
}

/** Signatures of Standard Webhooks 1.0 (https://www.standardwebhooks.com). */

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

const encoder = new TextEncoder();

/** @returns `whsec_` and base64 of 256 random bits */
export function newWebhookSecret(): string {
  return `${PREFIX}${toBase64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))}`;
}

/**
 * @param secrets from `newWebhookSecret` @param now epoch milliseconds of this try
 * @returns the request's three headers, with one signature for each secret
 */
export async function signedHeaders(
  secrets: readonly string[],
  id: string,
  now: number,
  body: string,
): Promise<Record<string, string>> {
  const timestamp = Math.floor(now / 1000);
  const input = `${id}.${timestamp}.${body}`;
  const signatures = await Promise.all(secrets.map((secret) => sign(secret, input)));
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.map((signature) => `v1,${signature}`).join(" "),
  };
}

async function sign(secret: string, input: string): Promise<string> {
  const bytes = fromBase64(secret.slice(PREFIX.length));
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return toBase64(new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(input))));
}
