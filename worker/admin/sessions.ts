import { parse, serialize } from "hono/utils/cookie";
import { AppError } from "#domain/errors.ts";
import { toHex } from "#domain/hex.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#domain/units.ts";
import type { AdminLoginRequest, AdminViewer } from "#domain/wire.ts";
import { createToken } from "../accounts/cookies.ts";
import { checkPassword } from "../accounts/passwords.ts";
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

/** From the login. */
const ADMIN_SESSION_MS = 8 * HOUR_MS;
/** From the last request. */
const ADMIN_IDLE_MS = 30 * MINUTE_MS;
/** Minimum time between two updates of `lastSeenAt`. */
const TOUCH_INTERVAL_MS = MINUTE_MS;

/**
 * By the configured name, or by the email address of an administrator's account. Returns the Set-Cookie header.
 * @param now epoch milliseconds @throws AppError ADMIN_CREDENTIALS, EMAIL_UNVERIFIED
 */
export async function loginAdmin(services: Services, request: AdminLoginRequest, now: number): Promise<string> {
  const { db, settings } = services;
  const isConfiguredAdmin = await matchesSettings(settings, request);
  const admin = isConfiguredAdmin
    ? { userId: null, username: request.username }
    : await checkAccount(services, request);
  const token = createToken();
  await insertAdminSession(db, {
    tokenHash: await hashToken(token),
    admin,
    settingsKey: isConfiguredAdmin ? await settingsKeyOf(settings) : null,
    expiresAt: now + ADMIN_SESSION_MS,
    at: now,
  });
  return buildCookie(settings, token, ADMIN_SESSION_MS / SECOND_MS);
}

/** @param now epoch milliseconds @returns the Set-Cookie header that removes the cookie */
export async function logoutAdmin(
  { db, settings }: Services,
  admin: AdminViewer | null,
  headers: Headers,
  now: number,
): Promise<string> {
  const token = tokenOf(settings, headers);
  if (admin && token !== null) await endAdminSession(db, await hashToken(token), admin, now);
  return buildCookie(settings, "", 0);
}

/** Reads the role for each request, so that losing it takes effect at once. Makes no query without the cookie. */
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
  if (session.lastSeenAt.getTime() <= now - TOUCH_INTERVAL_MS)
    waitUntil(touchAdminSession(db, session.id, idleSince, now));
  return { userId: session.userId, username: session.username };
}

async function checkAccount(services: Services, { username, password }: AdminLoginRequest): Promise<AdminViewer> {
  const { db, settings } = services;
  const email = username.toLowerCase();
  const account = await findAdminAccount(db, email);
  const isRight = await checkPassword(services, account?.passwordHash ?? null, password);
  if (!account || !isRight) throw new AppError("ADMIN_CREDENTIALS");
  if (settings.emailVerification === "required" && !account.isVerified) throw new AppError("EMAIL_UNVERIFIED");
  return { userId: account.id, username: email };
}

/** In constant time. */
async function matchesSettings({ admin }: Settings, { username, password }: AdminLoginRequest): Promise<boolean> {
  if (!admin) return false;
  const [isName, isPassword] = await Promise.all([equals(admin.username, username), equals(admin.password, password)]);
  return isName && isPassword;
}

async function equals(expected: string, actual: string): Promise<boolean> {
  const [a, b] = await Promise.all([expected, actual].map(digest));
  return a !== undefined && b !== undefined && crypto.subtle.timingSafeEqual(a, b);
}

function digest(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
}

/** A fingerprint of the configured credentials. When they change, sessions begun with the old ones end. */
async function settingsKeyOf({ admin, authSecret }: Settings): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(authSecret), algorithm, false, ["sign"]);
  const credentials = JSON.stringify(["admin session", admin?.username, admin?.password]);
  return toHex(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(credentials)));
}

/** `__Host-` ties the cookie to this host (RFC 6265bis, 4.1.3.2); it requires HTTPS. */
function cookieName({ origin }: Settings): string {
  return `${origin.startsWith("https:") ? "__Host-" : ""}mayfly.admin`;
}

function buildCookie(settings: Settings, token: string, maxAgeSeconds: number): string {
  const secure = settings.origin.startsWith("https:");
  return serialize(cookieName(settings), token, {
    path: "/",
    maxAge: maxAgeSeconds,
    httpOnly: true,
    sameSite: "Strict",
    secure,
  });
}

function tokenOf(settings: Settings, headers: Headers): string | null {
  const name = cookieName(settings);
  const { [name]: token = "" } = parse(headers.get("cookie") ?? "", name);
  return /^[0-9a-f]{64}$/.test(token) ? token : null;
}
