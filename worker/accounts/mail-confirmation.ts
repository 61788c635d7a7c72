import { AppError } from "#domain/errors.ts";
import { MAIL_LINK_TTL_MS } from "#domain/sign-in.ts";
import { putMailStep, tryMailStep, spendMailStep } from "../db/mail-steps.ts";
import { confirmCodeMessage } from "../mail/messages/mail-links.tsx";
import type { Services } from "../services.ts";
import { readTokenCookie, tokenCookie } from "./cookies.ts";
import { createMailCode, hashCode } from "./mail-codes.ts";
import type { CurrentSession } from "./session.ts";
import { hashToken } from "../tokens.ts";

/** Mails a code that confirms this session. @returns the `Set-Cookie` value that lets this browser use it */
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
  await putMailStep(db, step, mail, now);
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
  const data = await tryMailStep(db, key, "mail-confirm", await hashToken(browser), now);
  // A code that was mailed to a former address confirms nothing.
  const isRight = data?.email === user.email && data.code === (await hashCode(browser, code));
  if (!isRight || !(await spendMailStep(db, key, "mail-confirm", data, now))) throw new AppError("MAIL_CODE_WRONG");
}

/** One row for each session. */
function keyOf(sessionId: string): Promise<string> {
  return hashToken(`mail-confirm:${sessionId}`);
}
