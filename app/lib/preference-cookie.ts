import { DAY_MS, SECOND_MS } from "#domain/units.ts";

/** Browsers keep a cookie no longer than this (RFC 6265bis, section 5.5). */
const REMEMBERED_SECONDS = (400 * DAY_MS) / SECOND_MS;

/** Keeps a choice in this browser for the documents to come; null forgets it. */
export function rememberInCookie(name: string, value: string | null): void {
  document.cookie = `${name}=${value ?? ""}; path=/; max-age=${value === null ? 0 : REMEMBERED_SECONDS}; samesite=lax`;
}
