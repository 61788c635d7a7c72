import * as z from "zod/mini";
import { toHex } from "#domain/hex.ts";
import type { VerificationClaims } from "../db/users.ts";

/** SHA-256 of a token, hex: what the database keeps in its place. */
export async function hashToken(token: string): Promise<string> {
  return toHex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token)));
}

const claims = z.object({ email: z.string(), updateTo: z.optional(z.string()) });

/**
 * What a verification token of ours says. Its signature is not checked here: only a token whose hash we kept when we
 * issued it is ever acted on.
 * @returns null for what is no such token
 */
export function readVerificationToken(token: string): VerificationClaims | null {
  try {
    const [, payload = ""] = token.split(".");
    const text = atob(payload.replace(/-/g, "+").replace(/_/g, "/"));
    const { email, updateTo } = claims.parse(JSON.parse(text));
    return { email: email.toLowerCase(), newEmail: updateTo?.toLowerCase() ?? null };
  } catch {
    return null;
  }
}
