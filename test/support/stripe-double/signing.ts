import { createHmac } from "node:crypto";

/** Stripe-Signature as Stripe writes it: HMAC-SHA-256 over the time, a dot and the body. @param at epoch seconds */
export function signatureOf(body: string, secret: string, at: number): string {
  return `t=${at},v1=${createHmac("sha256", secret).update(`${at}.${body}`).digest("hex")}`;
}
