import { AppError } from "#domain/errors.ts";
import { ADMIN_SESSION_MS, type AdminSignInMethod } from "#domain/sign-in.ts";
import { MINUTE_MS } from "#domain/units.ts";
import type { AdminViewer } from "#domain/wire.ts";
import { createToken, endCookie, readTokenCookie, tokenCookie } from "../accounts/cookies.ts";
import { endAdminSession, findAdminSession, insertAdminSession, touchAdminSession } from "../db/admin-sessions.ts";
import type { Services } from "../services.ts";
import { hashToken } from "../tokens.ts";
import { settingsKeyOf, type Administrator } from "./administrators.ts";

/** A session ends this long after its last request. */
const ADMIN_IDLE_MS = 30 * MINUTE_MS;
/** The minimum time between two updates of `lastSeenAt`. */
const TOUCH_INTERVAL_MS = MINUTE_MS;

export interface AdminSession {
  id: string;
  viewer: AdminViewer;
  /** When the administrator last proved who they are, in epoch milliseconds. */
  confirmedAt: number | null;
}

/**
 * Begins a session of the back office. The caller has checked the administrator's password and factors.
 * @param now epoch milliseconds
 * @returns the `Set-Cookie` header
 * @throws AppError ADMIN_CREDENTIALS when, since the check, the account has lost the role or its revision was raised
 */
export async function beginAdminSession(
  { db, settings }: Services,
  { viewer, settingsKey, accessRevision }: Administrator,
  method: AdminSignInMethod,
  now: number,
): Promise<string> {
  const token = createToken();
  const isBegun = await insertAdminSession(db, {
    tokenHash: await hashToken(token),
    admin: viewer,
    settingsKey,
    accessRevision,
    method,
    expiresAt: now + ADMIN_SESSION_MS,
    at: now,
  });
  if (!isBegun) throw new AppError("ADMIN_CREDENTIALS");
  return tokenCookie(settings, "admin", token);
}

/** @param now epoch milliseconds @returns the `Set-Cookie` header that removes the cookie */
export async function logoutAdmin(
  { db, settings }: Services,
  admin: AdminViewer | null,
  headers: Headers,
  now: number,
): Promise<string> {
  const token = readTokenCookie(settings, "admin", headers);
  if (admin && token !== null) await endAdminSession(db, await hashToken(token), admin, now);
  return endCookie(settings, "admin");
}

/** Reads the role for each request, so that losing the role takes effect at once. Makes no query without the cookie. */
export async function findAdminSessionOf(
  { db, settings, waitUntil }: Services,
  headers: Headers,
  now: number,
): Promise<AdminSession | null> {
  const token = readTokenCookie(settings, "admin", headers);
  if (token === null) return null;
  const idleSince = now - ADMIN_IDLE_MS;
  const session = await findAdminSession(db, await hashToken(token), idleSince, now);
  if (!session) return null;
  const { id, userId, username, settingsKey, method, lastSeenAt, confirmedAt } = session;
  if (settingsKey !== null && settingsKey !== (await settingsKeyOf(settings))) return null;
  // A session that began with a password alone ends once the settings require a second factor.
  if (settings.adminSecondFactor === "required" && (method ?? "password") === "password") return null;
  if (lastSeenAt.getTime() <= now - TOUCH_INTERVAL_MS) waitUntil(touchAdminSession(db, id, idleSince, now));
  return { id, viewer: { userId, username }, confirmedAt: confirmedAt?.getTime() ?? null };
}
