import { parseCookies } from "better-auth/cookies";
import { SECOND_MS } from "#domain/units.ts";
import type { Services } from "../services.ts";
import { findSession, type SessionRow } from "../db/sessions.ts";

/** HMAC-SHA-256 in base64, as better-auth signs its cookies. */
const SIGNATURE = /^(.+)\.([A-Za-z0-9+/]{43}=)$/;

/**
 * Whose session a request carries, in one round trip; better-auth's own way takes two. A request without a session
 * cookie, or with one that we have not signed, does not touch D1 (decisions, Accounts).
 * @param now epoch milliseconds
 */
export async function readSession(services: Services, headers: Headers, now: number): Promise<SessionRow | null> {
  const cookies = headers.get("cookie");
  if (!cookies?.includes("session_token=")) return null;
  const { authCookies, sessionConfig } = await services.auth.$context;
  const parsed = parseCookies(cookies);
  const token = await signedToken(services.settings.authSecret, parsed.get(authCookies.sessionToken.name) ?? "");
  const session = token === null ? null : await findSession(services.db, token);
  if (!session) return null;
  const isForgotten = parsed.has(authCookies.dontRememberToken.name);
  const age = now - (session.expiresAt - sessionConfig.expiresIn * SECOND_MS);
  const isDue = !isForgotten && age >= sessionConfig.updateAge * SECOND_MS;
  const hasEnded = session.expiresAt <= now;
  // better-auth prolongs what is used and removes what has ended; nobody waits for it.
  if (isDue || hasEnded) services.waitUntil(services.auth.api.getSession({ headers }).catch(() => null));
  return hasEnded ? null : session;
}

/** The token that a cookie holds, if its signature is ours. */
async function signedToken(secret: string, cookie: string): Promise<string | null> {
  const [, token, signature] = SIGNATURE.exec(cookie) ?? [];
  if (token === undefined || signature === undefined) return null;
  const given = Uint8Array.from(atob(signature), (character) => character.charCodeAt(0));
  const isOurs = await crypto.subtle.verify("HMAC", await keyOf(secret), given, new TextEncoder().encode(token));
  return isOurs ? token : null;
}

const keys = new Map<string, Promise<CryptoKey>>();

function keyOf(secret: string): Promise<CryptoKey> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const known = keys.get(secret);
  const key = known ?? crypto.subtle.importKey("raw", new TextEncoder().encode(secret), algorithm, false, ["verify"]);
  keys.set(secret, key);
  return key;
}
