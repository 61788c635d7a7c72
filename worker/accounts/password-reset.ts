import { AppError } from "#domain/errors.ts";
import type { Services } from "../services.ts";
import { redeemResetLink } from "../db/passwords.ts";
import { findEmail, verifyEmailByToken } from "../db/users.ts";
import { logError } from "../log.ts";
import { addressChangedMessage, passwordChangedMessage } from "../mail/messages/account.tsx";
import { notify } from "./notify.ts";
import { hashToken, readVerificationToken } from "./tokens.ts";

/** Sends a link that sets a new password, if that address has an account. Says and takes the same either way. */
export function requestPasswordReset({ auth, waitUntil }: Services, email: string): void {
  waitUntil(auth.api.requestPasswordReset({ body: { email } }).catch(logFailure("account.reset_request_failed")));
}

/** Sends the verification mail again, if that address has an unverified account. Says and takes the same either way. */
export function resendVerification({ auth, settings, waitUntil }: Services, email: string): void {
  if (settings.emailVerification === "off") return;
  waitUntil(auth.api.sendVerificationEmail({ body: { email } }).catch(logFailure("account.resend_failed")));
}

/**
 * Sets a new password by a mailed token. Every session of the account and every other reset link end in the same
 * transaction; then the person is told by mail.
 * @param now epoch milliseconds
 * @throws AppError TOKEN_INVALID
 */
export async function setNewPassword(
  { auth, db, outbox, settings }: Services,
  request: { newPassword: string; token: string },
  now: number,
): Promise<void> {
  const { password } = await auth.$context;
  const userId = await redeemResetLink(db, request.token, await password.hash(request.newPassword), now);
  if (userId === null) throw new AppError("TOKEN_INVALID");
  const email = await findEmail(db, userId);
  if (email !== null) await notify(outbox, passwordChangedMessage(email, settings.origin));
}

/**
 * Confirms an address by a mailed token: once, and only by the newest one.
 * @param now epoch milliseconds
 * @throws AppError TOKEN_INVALID; EMAIL_TAKEN when somebody else has registered the new address meanwhile
 */
export async function verifyEmail(
  { db, outbox, settings }: Services,
  token: string,
  now: number,
): Promise<{ email: string }> {
  const claims = readVerificationToken(token);
  if (!claims) throw new AppError("TOKEN_INVALID");
  const verified = await verifyEmailByToken(db, await hashToken(token), claims, now);
  if (verified === "taken") throw new AppError("EMAIL_TAKEN");
  if (!verified) throw new AppError("TOKEN_INVALID");
  if (verified.formerEmail !== verified.email) {
    await notify(outbox, addressChangedMessage(verified.formerEmail, verified.email, settings.origin));
  }
  return { email: verified.email };
}

function logFailure(event: string) {
  return (error: unknown) => {
    logError(event, error);
  };
}
