import { AppError } from "#domain/errors.ts";
import { findResetLink, redeemResetLink } from "../db/passwords.ts";
import { verifyEmailByToken } from "../db/users.ts";
import { logError } from "../log.ts";
import { emailInUseMessage } from "../mail/messages/sign-in.tsx";
import { notify } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { hashToken, readVerificationToken, resetIdentifier } from "../tokens.ts";
import { listWays, tellPasswordChanged } from "./passwords.ts";
import { placeOf, type Visit } from "./visit.ts";

/**
 * Mails a link to reset the password. Works in the background, so that the answer's duration does not reveal whether
 * the account exists.
 */
export function requestPasswordReset({ auth, waitUntil }: Services, email: string): void {
  waitUntil(auth.api.requestPasswordReset({ body: { email } }).catch(logFailure("account.reset_request_failed")));
}

/**
 * Mails an unverified account, in the background, so that the answer's duration does not reveal whether the account
 * exists.
 */
export function resendVerification({ auth, settings, waitUntil }: Services, email: string): void {
  if (settings.emailVerification === "off") return;
  waitUntil(auth.api.sendVerificationEmail({ body: { email } }).catch(logFailure("account.resend_failed")));
}

/**
 * Sets a new password by a mailed link. The same transaction ends all sessions and reset links and switches webhooks
 * off. If nobody had proved the account's address before, the transaction ends all other ways in, too.
 * @param now epoch milliseconds @throws AppError TOKEN_INVALID
 */
export async function setNewPassword(
  services: Services,
  request: { newPassword: string; token: string },
  visit: Visit,
  now: number,
): Promise<void> {
  const { auth, db } = services;
  const { password } = await auth.$context;
  const identifier = await resetIdentifier(request.token);
  const person = await findResetLink(db, identifier, now);
  if (!person) throw new AppError("TOKEN_INVALID");
  const [hash, before] = await Promise.all([password.hash(request.newPassword), listWays(services, person.id, now)]);
  const event = { ...placeOf(visit), userId: person.id, at: now, kind: "password.changed" } as const;
  const redeemed = await redeemResetLink(db, identifier, hash, event);
  if (!redeemed) throw new AppError("TOKEN_INVALID");
  await tellPasswordChanged(services, person, { before, ...redeemed }, now);
}

/**
 * Verifies an address by a mailed token. Only the newest token works, and only once.
 * @throws AppError TOKEN_INVALID; EMAIL_TAKEN if another account has registered the new address since the mail was sent
 */
export async function verifyEmail(services: Services, token: string, now: number): Promise<{ email: string }> {
  const { db } = services;
  const claims = readVerificationToken(token);
  if (!claims) throw new AppError("TOKEN_INVALID");
  const verified = await verifyEmailByToken(db, await hashToken(token), claims, now);
  if (verified === "taken") throw new AppError("EMAIL_TAKEN");
  if (!verified) throw new AppError("TOKEN_INVALID");
  if (verified.formerEmail !== verified.email) await tellEmailChanged(services, verified.formerEmail, verified.email);
  return { email: verified.email };
}

/** Mails the former address that the account has a new one. An earlier mail has the link that undoes the change. */
export async function tellEmailChanged({ outbox }: Services, former: string, email: string): Promise<void> {
  await notify(outbox, emailInUseMessage(former, email));
}

function logFailure(event: string) {
  return (error: unknown) => logError(event, error);
}
