import { DAY_MS, SECOND_MS } from "#domain/units.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export const THEME_COOKIE = "theme";

export function themeFromCookies(cookies: string | null): Theme {
  const chosen = /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(cookies ?? "")?.[1];
  return THEMES.find((theme) => theme === chosen) ?? "system";
}

/** Browsers cap a cookie's lifetime at 400 days (RFC 6265bis, section 5.5). */
const MAX_AGE_SECONDS = (400 * DAY_MS) / SECOND_MS;

/** @param value null deletes the cookie */
export function setPreferenceCookie(name: string, value: string | null): void {
  document.cookie = `${name}=${value ?? ""}; path=/; max-age=${value === null ? 0 : MAX_AGE_SECONDS}; samesite=lax`;
}
