import { parse, serialize } from "hono/utils/cookie";
import { toHex } from "#domain/bytes-as-text.ts";
import { ADMIN_SESSION_MS, DEVICE_TTL_MS, MAIL_LINK_TTL_MS, STEP_TTL_MS } from "#domain/sign-in.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { Settings } from "../settings.ts";

/** The cookies besides the session cookie. A cookie that no navigation from another site needs is `Strict`. */
const COOKIES = {
  /** Names the browser, for a year. */
  device: { name: "mayfly.device", maxAgeMs: DEVICE_TTL_MS, sameSite: "Lax" },
  /**
   * Names the browser that asked for a mailed code or went to a provider's page. Only that browser can use the code, or
   * come back from the page.
   */
  asking: { name: "mayfly.asking", maxAgeMs: MAIL_LINK_TTL_MS, sameSite: "Lax" },
  /** Names the sign-in that waits for its second factor. */
  step: { name: "mayfly.step", maxAgeMs: STEP_TTL_MS, sameSite: "Strict" },
  /** Names a session of the back office. */
  admin: { name: "mayfly.admin", maxAgeMs: ADMIN_SESSION_MS, sameSite: "Strict" },
  adminStep: { name: "mayfly.admin-step", maxAgeMs: STEP_TTL_MS, sameSite: "Strict" },
} as const;
type CookieKind = keyof typeof COOKIES;

const TOKEN_BYTES = 32;

/** @returns 256 random bits in hex */
export function createToken(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)).buffer);
}

/** @returns the `Set-Cookie` header */
export function tokenCookie(settings: Settings, kind: CookieKind, token: string): string {
  return writeCookie(settings, kind, token, COOKIES[kind].maxAgeMs);
}

/** @returns the `Set-Cookie` header that removes the cookie */
export function endCookie(settings: Settings, kind: CookieKind): string {
  return writeCookie(settings, kind, "", 0);
}

function writeCookie(settings: Settings, kind: CookieKind, value: string, maxAgeMs: number): string {
  return serialize(cookieName(settings, kind), value, {
    path: "/",
    maxAge: maxAgeMs / SECOND_MS,
    httpOnly: true,
    sameSite: COOKIES[kind].sameSite,
    secure: isHttps(settings),
  });
}

/** @returns null when the cookie is missing, or is not 256 bits in hex */
export function readTokenCookie(settings: Settings, kind: CookieKind, headers: Headers): string | null {
  const name = cookieName(settings, kind);
  const { [name]: token = "" } = parse(headers.get("cookie") ?? "", name);
  return /^[0-9a-f]{64}$/.test(token) ? token : null;
}

/** `__Host-` ties the cookie to this host (RFC 6265bis, 4.1.3.2), and requires HTTPS. */
function cookieName(settings: Settings, kind: CookieKind): string {
  return `${isHttps(settings) ? "__Host-" : ""}${COOKIES[kind].name}`;
}

function isHttps({ origin }: Settings): boolean {
  return origin.startsWith("https:");
}
