import { AppError } from "#domain/errors.ts";
import { MAIL_LINK_TTL_MS } from "#domain/sign-in.ts";
import type { MailLinkUseRequest } from "#domain/wire.ts";
import { claimEmail } from "../db/lock-outs.ts";
import {
  findMailChallenge,
  putMailChallenge,
  tryMailChallenge,
  spendMailChallenge,
  type MailChallengeData,
} from "../db/mail-challenges.ts";
import { createAccount, findOwner, type EmailOwner } from "../db/new-accounts.ts";
import { logError } from "../log.ts";
import { mailLinkMessage } from "../mail/messages/sign-in.tsx";
import type { Services } from "../services.ts";
import { hashToken } from "../tokens.ts";
import { toSessionChange, type SessionChange } from "./accounts.ts";
import { createToken, readTokenCookie, tokenCookie } from "./cookies.ts";
import { createMailCode, hashCode, type MailCode } from "./mail-codes.ts";
import { requireLastingAddress } from "./throwaway-mail.ts";
import { signIn } from "./sign-in.ts";
import { placeOf, type Visit } from "./visit.ts";

/** The calls for mailed links do not exist where `MAIL_LINKS` is off. @throws AppError NOT_FOUND */
export function requireMailLinks({ settings }: Services): void {
  if (!settings.mailLinks) throw new AppError("NOT_FOUND");
}

/**
 * Mails a link and a code that sign in to an account or register a new one. The mail is prepared after the answer is
 * sent, so that the answer's duration does not tell whether there is an account.
 * @returns the `Set-Cookie` value that lets this browser use the code
 */
export async function requestMailLink(services: Services, email: string, visit: Visit, now: number): Promise<string> {
  const { settings, waitUntil } = services;
  const code = await createMailCode(settings, visit.headers);
  waitUntil(
    sendMailLink(services, email, code, now).catch((error: unknown) => logError("account.mail_link_failed", error)),
  );
  return tokenCookie(settings, "asking", code.browser);
}

async function sendMailLink(services: Services, email: string, code: MailCode, now: number): Promise<void> {
  const { db, outbox, settings } = services;
  const key = await keyOf(email);
  const secret = createToken();
  const owner = await findOwner(db, email);
  const url = `${settings.origin}/sign-in-link#${key}${secret}`;
  const mail = outbox.prepare(mailLinkMessage(email, { url, code: code.code, isNew: owner === null }));
  const data = { email, token: await hashToken(secret), browser: code.browserHash, code: code.codeHash };
  const step = { key, kind: "mail-link", userId: owner?.id ?? null, data, expiresAt: now + MAIL_LINK_TTL_MS } as const;
  await putMailChallenge(db, step, mail, now);
  mail.send();
}

/**
 * Signs in to the account of the address, or registers an account. An account that never proved the address loses all
 * other ways in first, because a stranger may have registered it to wait for the address's owner.
 * @param mayRegister throws when this caller has registered too many accounts
 * @param now epoch milliseconds @throws AppError TOKEN_INVALID, MAIL_CODE_WRONG, EMAIL_TAKEN, THROWAWAY_ADDRESS
 */
export async function redeemMailLink(
  services: Services,
  request: MailLinkUseRequest,
  visit: Visit,
  mayRegister: () => Promise<void>,
  now: number,
): Promise<SessionChange> {
  const { db } = services;
  const { key, data, refusal } = await checkSecret(services, request, visit, now);
  if (!data) throw refusal;
  const { email } = data;
  const known = await findOwner(db, email);
  if (!known) {
    requireLastingAddress(services, email);
    await mayRegister();
  }
  if (!(await spendMailChallenge(db, key, "mail-link", data, now))) throw refusal;
  const owner = known ?? (await createAccount(db, email, true, now));
  if (!owner) throw new AppError("EMAIL_TAKEN");
  const { accessRevision } = owner.isVerified ? owner : await claimOwner(services, email, owner.id, visit, now);
  const proof = { who: owner.id, by: "mail", factors: 1, accessRevision } as const;
  return toSessionChange(await signIn(services, proof, visit, { rememberMe: request.rememberMe }, now));
}

/**
 * @returns the account after the claim
 * @throws AppError TOKEN_INVALID when the account's address changed before the claim
 */
async function claimOwner(
  { db }: Services,
  email: string,
  userId: string,
  visit: Visit,
  now: number,
): Promise<EmailOwner> {
  await claimEmail(db, email, { ...placeOf(visit), userId, at: now, kind: "email.claimed" });
  const owner = await findOwner(db, email);
  if (owner?.id !== userId) throw new AppError("TOKEN_INVALID");
  return owner;
}

/** `data` is null when the link's secret or the code is wrong. `refusal` is the error to throw when `data` is null. */
async function checkSecret(
  { db, settings }: Services,
  { token, email = "", code = "" }: MailLinkUseRequest,
  visit: Visit,
  now: number,
): Promise<{ key: string; data: MailChallengeData | null; refusal: AppError }> {
  if (token !== undefined) {
    const refusal = new AppError("TOKEN_INVALID");
    const [, key = "", secret = ""] = /^([0-9a-f]{64})([0-9a-f]{64})$/.exec(token) ?? [];
    const data = key === "" ? null : await findMailChallenge(db, key, "mail-link", now);
    return { key, data: data?.token === (await hashToken(secret)) ? data : null, refusal };
  }
  const refusal = new AppError("MAIL_CODE_WRONG");
  const key = await keyOf(email);
  const browser = readTokenCookie(settings, "asking", visit.headers);
  if (browser === null) return { key, data: null, refusal };
  const data = await tryMailChallenge(db, key, "mail-link", await hashToken(browser), now);
  return { key, data: data?.code === (await hashCode(browser, code)) ? data : null, refusal };
}

/** The key of the address's row in `steps`. A new mail replaces the address's earlier link and code. */
function keyOf(email: string): Promise<string> {
  return hashToken(`mail-link:${email}`);
}
