import { parseCookies } from "better-auth/cookies";
import { chosenLocale, requestLocale } from "#domain/locale.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { CurrentUser } from "#domain/wire.ts";
import { saveLocale } from "../db/notice-settings.ts";
import { atPrimary } from "../db/replicas.ts";
import { findSession, type SessionRow } from "../db/sessions.ts";
import { planOfRow } from "../db/users.ts";
import { logError } from "../log.ts";
import type { Services } from "../services.ts";

/** better-auth signs cookies as `<token>.<base64 of HMAC-SHA-256>`. */
const SIGNED_TOKEN = /^(.+)\.([A-Za-z0-9+/]{43}=)$/;

/** The session that a request brings. */
export interface CurrentSession {
  id: string;
  user: CurrentUser;
  /** When the person last showed who they are, in epoch milliseconds. Null where that was not noted. */
  confirmedAt: number | null;
  /** The browser's row in `devices`. Null where that was not noted. */
  deviceId: string | null;
}

/** @param now epoch milliseconds @returns null without a session */
export async function findCurrentSession(
  services: Services,
  headers: Headers,
  now: number,
): Promise<CurrentSession | null> {
  const session = await readSession(services, headers, now);
  if (!session) return null;
  noteLocale(services, headers, session);
  const { id, userId, email, isVerified, planType, confirmedAt, deviceId } = session;
  const user = toCurrentUser({ id: userId, email, isVerified: isVerified === 1, planType });
  return { id, user, confirmedAt, deviceId };
}

/** @throws Error when the plan is unknown */
export function toCurrentUser(row: Omit<CurrentUser, "planType"> & { planType: string }): CurrentUser {
  const { id, email, isVerified } = row;
  return { id, email, isVerified, planType: planOfRow(row) };
}

/** One query; better-auth needs two. Without a validly signed cookie there is no query (decision 012). */
async function readSession(services: Services, headers: Headers, now: number): Promise<SessionRow | null> {
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

/** Notes a person's language for their mails, behind the answer, when it has changed. */
function noteLocale(
  { db, waitUntil }: Services,
  headers: Headers,
  { userId, locale: noted }: { userId: string; locale: string | null },
): void {
  const says = headers.has("accept-language") || chosenLocale(headers.get("cookie") ?? "") !== null;
  const locale = requestLocale(headers);
  if (!says || locale === noted) return;
  waitUntil(
    atPrimary(() => saveLocale(db, userId, locale)).catch((error: unknown) => logError("locale.not_noted", error)),
  );
}
