import { AppError } from "#domain/errors.ts";
import { MAIL_CODE_DIGITS, MAIL_LINK_TTL_MS } from "#domain/sign-in.ts";
import { putMailChallenge, tryMailChallenge, spendMailChallenge } from "../db/mail-challenges.ts";
import { confirmCodeMessage } from "../mail/messages/sign-in.tsx";
import type { Services } from "../services.ts";
import type { Settings } from "../settings.ts";
import { hashToken } from "../tokens.ts";
import { createToken, readTokenCookie, tokenCookie } from "./cookies.ts";
import type { CurrentSession } from "./session.ts";

/** A mailed code, the secret that the asking browser keeps in a cookie, and the hashes of both for the server. */
export interface MailCode {
  /** The value of the cookie `asking`. */
  browser: string;
  /** Eight digits. */
  code: string;
  browserHash: string;
  codeHash: string;
}

/** Keeps the value of the browser's `asking` cookie if there is one, so that an earlier mail's code still works. */
export async function createMailCode(settings: Settings, headers: Headers): Promise<MailCode> {
  const browser = readTokenCookie(settings, "asking", headers) ?? createToken();
  const code = randomDigits();
  return { browser, code, browserHash: await hashToken(browser), codeHash: await hashCode(browser, code) };
}

/** Hashes the code together with the browser's 256 random bits, so that nobody finds the code by hashing all codes. */
export function hashCode(browser: string, code: string): Promise<string> {
  return hashToken(`${browser}.${code}`);
}

function randomDigits(): string {
  const range = 10 ** MAIL_CODE_DIGITS;
  // Numbers above the last whole multiple of `range` would make some codes more likely.
  const limit = Math.floor(2 ** 32 / range) * range;
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
  return number < limit ? String(number % range).padStart(MAIL_CODE_DIGITS, "0") : randomDigits();
}

/** Mails a code that confirms this session. @returns the `Set-Cookie` value that lets this browser use the code */
export async function requestConfirmCode(
  { db, outbox, settings }: Services,
  { id, user }: CurrentSession,
  headers: Headers,
  now: number,
): Promise<string> {
  const { browser, code, browserHash, codeHash } = await createMailCode(settings, headers);
  const mail = outbox.prepare(confirmCodeMessage(user.email, code));
  const data = { email: user.email, token: "", browser: browserHash, code: codeHash };
  const expiresAt = now + MAIL_LINK_TTL_MS;
  const step = { key: await keyOf(id), kind: "mail-confirm", userId: user.id, data, expiresAt } as const;
  await putMailChallenge(db, step, mail, now);
  mail.send();
  return tokenCookie(settings, "asking", browser);
}

/** @throws AppError MAIL_CODE_WRONG */
export async function checkConfirmCode(
  { db, settings }: Services,
  { id, user }: CurrentSession,
  code: string,
  headers: Headers,
  now: number,
): Promise<void> {
  const browser = readTokenCookie(settings, "asking", headers);
  if (browser === null) throw new AppError("MAIL_CODE_WRONG");
  const key = await keyOf(id);
  const data = await tryMailChallenge(db, key, "mail-confirm", await hashToken(browser), now);
  // A code that was mailed to a former address of the account confirms nothing.
  const isRight = data?.email === user.email && data.code === (await hashCode(browser, code));
  if (!isRight || !(await spendMailChallenge(db, key, "mail-confirm", data, now)))
    throw new AppError("MAIL_CODE_WRONG");
}

/** The key of the session's row in `steps`. A new code replaces the session's earlier code. */
function keyOf(sessionId: string): Promise<string> {
  return hashToken(`mail-confirm:${sessionId}`);
}
