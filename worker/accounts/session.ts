import { parseCookies } from "better-auth/cookies";
import { SECOND_MS } from "#domain/units.ts";
import type { Services } from "../services.ts";
import { findSession, type SessionRow } from "../db/sessions.ts";

/** better-auth signs cookies as `<token>.<base64 of HMAC-SHA-256>`. */
const SIGNED_TOKEN = /^(.+)\.([A-Za-z0-9+/]{43}=)$/;

/** One query; better-auth needs two. Without a validly signed cookie there is no query (decision 012). */
export async function readSession(services: Services, headers: Headers, now: number): Promise<SessionRow | null> {
  const cookies = headers.get("cookie");
  if (!cookies?.includes("session_token=")) return null;
  const { authCookies, sessionConfig } = await services.auth.$context;
  const parsed = parseCookies(cookies);
  const token = await verifyToken(services.settings.authSecret, parsed.get(authCookies.sessionToken.name) ?? "");
  const session = token === null ? null : await findSession(services.db, token);
  if (!session) return null;
  const endsWithBrowser = parsed.has(authCookies.dontRememberToken.name);
  const ageMs = now - (session.expiresAt - sessionConfig.expiresIn * SECOND_MS);
  const needsRenewal = !endsWithBrowser && ageMs >= sessionConfig.updateAge * SECOND_MS;
  const hasEnded = session.expiresAt <= now;
  // better-auth renews or deletes the session in the background.
  if (needsRenewal || hasEnded) services.waitUntil(services.auth.api.getSession({ headers }).catch(() => null));
  return hasEnded ? null : session;
}

async function verifyToken(secret: string, cookie: string): Promise<string | null> {
  const [, token, base64] = SIGNED_TOKEN.exec(cookie) ?? [];
  if (token === undefined || base64 === undefined) return null;
  const signature = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const key = await importSigningKey(secret);
  const isValid = await crypto.subtle.verify("HMAC", key, signature, new TextEncoder().encode(token));
  return isValid ? token : null;
}

const signingKeys = new Map<string, Promise<CryptoKey>>();

function importSigningKey(secret: string): Promise<CryptoKey> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key =
    signingKeys.get(secret) ??
    crypto.subtle.importKey("raw", new TextEncoder().encode(secret), algorithm, false, ["verify"]);
  signingKeys.set(secret, key);
  return key;
}
