import { parse, parseSigned, serialize, serializeSigned } from "hono/utils/cookie";
import { chosenLocale, requestLocale } from "#domain/locale.ts";
import { SESSION_MS, SESSION_RENEWAL_MS } from "#domain/sign-in.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { CurrentUser, ListedSession } from "#domain/wire.ts";
import { saveLocale } from "../db/notice-settings.ts";
import { atPrimary } from "../db/replicas.ts";
import { deleteOtherSessions, deleteSession, findSession, listSessionsOf, renewSession } from "../db/sessions.ts";
import { planOfRow } from "../db/users.ts";
import { localizedError } from "../errors/translate-error.ts";
import { logError } from "../log.ts";
import type { Services } from "../services.ts";
import type { Settings } from "../settings.ts";

/** The session whose cookie a request sends. */
export interface CurrentSession {
  id: string;
  user: CurrentUser;
  /**
   * When the person last proved who they are, in epoch milliseconds. Null for a session that began unconfirmed, or
   * before such times were stored.
   */
  confirmedAt: number | null;
  /** The browser's row in `devices`. Null for a session without a device. */
  deviceId: string | null;
  /** Whether the session was begun without "Remember me". */
  endsWithBrowser: boolean;
}

/**
 * Finds the session of a request with one query, or none if the request has no validly signed cookie (decision 012).
 * Renews the session in the background.
 * @param setCookie renews the session's cookie
 * @param now epoch milliseconds
 * @returns null without a session
 */
export async function findCurrentSession(
  services: Services,
  headers: Headers,
  setCookie: (cookie: { name: string; value: string; path: string; maxAgeSeconds: number }) => void,
  now: number,
): Promise<CurrentSession | null> {
  const { db } = services;
  const { token, endsWithBrowser } = await readCookies(services.settings, headers);
  const session = token === null ? null : await findSession(db, token, now);
  if (!session) return null;
  const { id, userId, email, isVerified, planType, expiresAt, confirmedAt, deviceId } = session;
  // A socket's answer carries no cookie, and the row must not be renewed without its cookie.
  const canRenew = !endsWithBrowser && !headers.has("upgrade");
  if (canRenew && expiresAt <= now + SESSION_MS - SESSION_RENEWAL_MS) {
    inBackground(services, "session.not_renewed", () => renewSession(db, id, now + SESSION_MS, now));
    const { token: name } = cookiesOf(services.settings).names;
    const value = parse(headers.get("cookie") ?? "", name)[name] ?? "";
    setCookie({ name, value, path: "/", maxAgeSeconds: SESSION_MS / SECOND_MS });
  }
  noteLocale(services, headers, session);
  const user = toCurrentUser({ id: userId, email, isVerified: isVerified === 1, planType });
  return { id, user, confirmedAt, deviceId, endsWithBrowser };
}

/** Lists the account's sessions: the current session first, then the newest. @param now epoch milliseconds */
export async function listSessions({ db }: Services, current: CurrentSession, now: number): Promise<ListedSession[]> {
  const rows = await listSessionsOf(db, current.user.id, now);
  return rows
    .map(({ createdAt, ipAddress, ...session }) => ({
      ...session,
      createdAt: createdAt.toISOString(),
      address: ipAddress,
      isCurrent: session.id === current.id,
    }))
    .sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
}

/** @throws AppError NOT_FOUND */
export async function endSession({ db }: Services, { user }: CurrentSession, id: string): Promise<void> {
  if (!(await deleteSession(db, user.id, id))) throw localizedError("NOT_FOUND", "sessionEnded", {});
}

export async function endOtherSessions({ db }: Services, { id, user }: CurrentSession): Promise<void> {
  await deleteOtherSessions(db, user.id, id);
}

/** @returns the `Set-Cookie` headers that remove the session's cookies */
export async function endCurrentSession({ db, settings }: Services, current: CurrentSession | null): Promise<string[]> {
  if (current) await deleteSession(db, current.user.id, current.id);
  const { names, options } = cookiesOf(settings);
  return Object.values(names).map((name) => serialize(name, "", { ...options, maxAge: 0 }));
}

/**
 * @param rememberMe if false, the cookies end when the browser closes
 * @returns the `Set-Cookie` headers of a session
 */
export async function sessionCookies(settings: Settings, token: string, rememberMe: boolean): Promise<string[]> {
  const { names, options } = cookiesOf(settings);
  const maxAge = rememberMe ? { maxAge: SESSION_MS / SECOND_MS } : {};
  return [
    await serializeSigned(names.token, token, settings.authSecret, { ...options, ...maxAge }),
    rememberMe
      ? serialize(names.endsWithBrowser, "", { ...options, maxAge: 0 })
      : await serializeSigned(names.endsWithBrowser, "true", settings.authSecret, options),
  ];
}

/** A cookie with a wrong signature counts as missing. */
async function readCookies(settings: Settings, headers: Headers) {
  const { names } = cookiesOf(settings);
  const cookies = headers.get("cookie") ?? "";
  // Returns early, which spares visitors without a session the HMAC.
  if (!cookies.includes(`${names.token}=`)) return { token: null, endsWithBrowser: false };
  const signed = await parseSigned(cookies, settings.authSecret);
  return { token: signed[names.token] || null, endsWithBrowser: signed[names.endsWithBrowser] === "true" };
}

function cookiesOf({ origin }: Settings) {
  const secure = origin.startsWith("https:");
  const prefix = secure ? "__Secure-mayfly" : "mayfly";
  return {
    names: { token: `${prefix}.session_token`, endsWithBrowser: `${prefix}.dont_remember` },
    options: { path: "/", httpOnly: true, sameSite: "Lax", secure },
  } as const;
}

/** @throws Error when the plan is unknown */
export function toCurrentUser(row: Omit<CurrentUser, "planType"> & { planType: string }): CurrentUser {
  const { id, email, isVerified } = row;
  return { id, email, isVerified, planType: planOfRow(row) };
}

/** If a person's language has changed, saves it for their mails, after the answer is sent. */
function noteLocale(
  services: Services,
  headers: Headers,
  { userId, locale: noted }: { userId: string; locale: string | null },
): void {
  const says = headers.has("accept-language") || chosenLocale(headers.get("cookie") ?? "") !== null;
  const locale = requestLocale(headers);
  if (!says || locale === noted) return;
  inBackground(services, "locale.not_noted", () => saveLocale(services.db, userId, locale));
}

/** Writes to the primary database, after the answer is sent. @param event logged when the write fails */
function inBackground({ waitUntil }: Services, event: string, write: () => Promise<void>): void {
  waitUntil(atPrimary(write).catch((error: unknown) => logError(event, error)));
}
