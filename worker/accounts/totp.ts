import { Secret, TOTP } from "otpauth";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { toHex } from "#domain/bytes-as-text.ts";
import { readRecoveryCode } from "#domain/sign-in.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { NewFactor } from "#domain/wire.ts";

/** RFC 4226, 4, recommends 160 bits. */
const SECRET_BYTES = 20;
/** The only parameters that every authenticator app supports (RFC 6238). */
const RULES = { algorithm: "SHA1", digits: 6, period: 30 } as const;
/** How many time steps a clock may be off (RFC 6238, 5.2). */
const WINDOW_STEPS = 1;

const encoder = new TextEncoder();

/** @param email names the account in the app */
export function newFactor(email: string): NewFactor {
  const secret = new Secret({ size: SECRET_BYTES });
  const totp = new TOTP({ ...RULES, secret, issuer: PRODUCT_NAME, label: email });
  return { secret: secret.base32, address: totp.toString() };
}

/**
 * @param secret base32 @param typed the code, with spaces anywhere @param now epoch milliseconds
 * @returns the time step to which the code belongs; null for a wrong code
 */
export function findStepOfTime(secret: string, typed: string, now: number): number | null {
  const token = typed.replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const rules = { ...RULES, secret: Secret.fromBase32(secret), timestamp: now };
  const delta = TOTP.validate({ ...rules, token, window: WINDOW_STEPS });
  return delta === null ? null : Math.floor(now / (RULES.period * SECOND_MS)) + delta;
}

/** @returns when the code of a time step is last accepted, in epoch milliseconds */
export function endOfStep(stepOfTime: number): number {
  return (stepOfTime + WINDOW_STEPS + 1) * RULES.period * SECOND_MS;
}

/**
 * The HMAC's key is the account's secret, so the hash outlives a rotation of `DATA_KEY`, and a new secret ends old
 * codes. @param secret base32 @returns HMAC-SHA-256 in hex; null when `typed` is no recovery code
 */
export async function hashRecoveryCode(secret: string, typed: string): Promise<string | null> {
  const code = readRecoveryCode(typed);
  if (code === null) return null;
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  return toHex(await crypto.subtle.sign("HMAC", key, encoder.encode(`recovery code ${code}`)));
}
