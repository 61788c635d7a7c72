import { AppError } from "#domain/errors.ts";
import { toHex } from "#domain/hex.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#domain/units.ts";
import type { AdminLoginRequest, AdminViewer } from "#domain/wire.ts";
import { hashToken } from "../accounts/tokens.ts";
import type { Services } from "../services.ts";
import {
  endAdminSession,
  findAdminAccount,
  findAdminSession,
  insertAdminSession,
  touchAdminSession,
} from "../db/admin-sessions.ts";
import type { Settings } from "../settings.ts";

/** An admin session lasts a working day at most, and half an hour without use. */
export const ADMIN_SESSION_MS = 8 * HOUR_MS;
export const ADMIN_IDLE_MS = 30 * MINUTE_MS;
/** Use is noted so often at most: not every request writes. */
const TOUCH_MS = MINUTE_MS;
const TOKEN_BYTES = 32;

/**
 * Begins an admin session: for the administrator of the settings, or for somebody with an account who is
 * one, by their address and password.
 * @param now epoch milliseconds
 * @returns the cookie that carries it
 * @throws AppError ADMIN_CREDENTIALS, EMAIL_UNVERIFIED
 */
export async function loginAdmin(services: Services, request: AdminLoginRequest, now: number): Promise<string> {
  const { db, settings } = services;
  const isOfSettings = await matchesSettings(settings, request);
  const admin = isOfSettings ? { userId: null, username: request.username } : await checkAccount(services, request);
  const token = toHex(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)).buffer);
  await insertAdminSession(db, {
    tokenHash: await hashToken(token),
    admin,
    settingsKey: isOfSettings ? await settingsKeyOf(settings) : null,
    expiresAt: now + ADMIN_SESSION_MS,
    at: now,
  });
  return cookie(settings, token, ADMIN_SESSION_MS / SECOND_MS);
}

/** Ends the request's session, if it has one. @param now epoch milliseconds @returns the cookie that removes it */
export async function logoutAdmin(
  { db, settings }: Services,
  admin: AdminViewer | null,
  headers: Headers,
  now: number,
): Promise<string> {
  const token = tokenOf(settings, headers);
  if (admin && token !== null) await endAdminSession(db, await hashToken(token), admin, now);
  return cookie(settings, "", 0);
}

/**
 * The administrator whose session it is, or null. Whether they are one still is read anew each time; a request without
 * the cookie does not touch D1.
 * @param now epoch milliseconds
 */
export async function findCurrentAdmin(
  { db, settings, waitUntil }: Services,
  headers: Headers,
  now: number,
): Promise<AdminViewer | null> {
  const token = tokenOf(settings, headers);
  if (token === null) return null;
  const idleSince = now - ADMIN_IDLE_MS;
  const session = await findAdminSession(db, await hashToken(token), idleSince, now);
  if (!session) return null;
  if (session.settingsKey !== null && session.settingsKey !== (await settingsKeyOf(settings))) return null;
  if (session.lastSeenAt.getTime() <= now - TOUCH_MS) waitUntil(touchAdminSession(db, session.id, idleSince, now));
  return { userId: session.userId, username: session.username };
}

async function checkAccount(
  { auth, db, settings }: Services,
  { username, password }: AdminLoginRequest,
): Promise<AdminViewer> {
  const email = username.toLowerCase();
  const account = await findAdminAccount(db, email);
  const { password: passwords } = await auth.$context;
  if (account?.passwordHash == null) {
    // As much work as for a name that there is: the time it takes tells nobody who is an administrator.
    await passwords.hash(password);
    throw new AppError("ADMIN_CREDENTIALS");
  }
  if (!(await passwords.verify({ hash: account.passwordHash, password }))) throw new AppError("ADMIN_CREDENTIALS");
  if (settings.emailVerification === "required" && !account.isVerified) throw new AppError("EMAIL_UNVERIFIED");
  return { userId: account.id, username: email };
}

/** Compares digests, in constant time: neither a name's nor a password's beginning shows in how long it takes. */
async function matchesSettings({ admin }: Settings, { username, password }: AdminLoginRequest): Promise<boolean> {
  if (!admin) return false;
  const [isName, isPassword] = await Promise.all([equals(admin.username, username), equals(admin.password, password)]);
  return isName && isPassword;
}

async function equals(expected: string, given: string): Promise<boolean> {
  const [a, b] = await Promise.all([expected, given].map(digest));
  return a !== undefined && b !== undefined && crypto.subtle.timingSafeEqual(a, b);
}

function digest(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
}

/** Stands for the settings' name and password: with other ones the sessions they began end. */
async function settingsKeyOf({ admin, authSecret }: Settings): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(authSecret), algorithm, false, ["sign"]);
  const credentials = JSON.stringify(["admin session", admin?.username, admin?.password]);
  return toHex(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(credentials)));
}

/** Its own name; over HTTPS with the prefix that ties it to this very host (RFC 6265bis, 4.1.3.2). */
function cookieName({ origin }: Settings): string {
  return `${origin.startsWith("https:") ? "__Host-" : ""}mayfly.admin`;
}

function cookie(settings: Settings, token: string, maxAgeSeconds: number): string {
  const secure = settings.origin.startsWith("https:") ? "; Secure" : "";
  return `${cookieName(settings)}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}

function tokenOf(settings: Settings, headers: Headers): string | null {
  const name = `${cookieName(settings)}=`;
  const found = headers
    .get("cookie")
    ?.split(";")
    .map((part) => part.trim())
    .find((part) => part.startsWith(name));
  const token = found?.slice(name.length) ?? "";
  return /^[0-9a-f]{64}$/.test(token) ? token : null;
}
