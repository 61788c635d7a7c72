import * as z from "zod/mini";
import { toHex } from "#domain/bytes-as-text.ts";

export async function hashToken(token: string): Promise<string> {
  return toHex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token)));
}

/**
 * The hash of a reset link that better-auth stores in `verifications.identifier`. In the same row, `value` is the
 * user's id.
 */
export function resetIdentifier(token: string): Promise<string> {
  return hashToken(`reset-password:${token}`);
}

/** The owner's address when a verification token was created, and the new address, if the token changes the address. */
export interface VerificationClaims {
  email: string;
  newEmail: string | null;
}

const claimsSchema = z.object({ email: z.string(), updateTo: z.optional(z.string()) });

/**
 * Reads a verification token. Does not check its signature, because callers accept only tokens whose hash is stored
 * (decision 003).
 * @returns null if the text is no token
 */
export function readVerificationToken(token: string): VerificationClaims | null {
  try {
    const [, payload = ""] = token.split(".");
    const json = atob(payload.replace(/-/g, "+").replace(/_/g, "/"));
    const { email, updateTo } = claimsSchema.parse(JSON.parse(json));
    return { email: email.toLowerCase(), newEmail: updateTo?.toLowerCase() ?? null };
  } catch {
    return null;
  }
}
