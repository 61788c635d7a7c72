import { MAIL_CODE_DIGITS } from "#domain/sign-in.ts";
import type { Settings } from "../settings.ts";
import { createToken, readTokenCookie } from "./cookies.ts";
import { hashToken } from "../tokens.ts";

/** Of a mail with a code: what the browser keeps, what the person types, and what we keep of both. */
export interface MailCode {
  /** For the cookie `asking`. */
  browser: string;
  /** Eight digits. */
  code: string;
  browserHash: string;
  codeHash: string;
}

/** Keeps the browser's cookie where it has one, so that an earlier question of it goes on. */
export async function createMailCode(settings: Settings, headers: Headers): Promise<MailCode> {
  const browser = readTokenCookie(settings, "asking", headers) ?? createToken();
  const code = randomDigits();
  return { browser, code, browserHash: await hashToken(browser), codeHash: await hashCode(browser, code) };
}

/** The 256 bits of the browser go in, so that nobody who reads the digest finds the code by trying. */
export function hashCode(browser: string, code: string): Promise<string> {
  return hashToken(`${browser}.${code}`);
}

function randomDigits(): string {
  const range = 10 ** MAIL_CODE_DIGITS;
  // Numbers above the last whole multiple would make some codes more likely.
  const limit = Math.floor(2 ** 32 / range) * range;
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
  return number < limit ? String(number % range).padStart(MAIL_CODE_DIGITS, "0") : randomDigits();
}
