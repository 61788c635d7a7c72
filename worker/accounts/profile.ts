import { createEmailVerificationToken } from "better-auth/api";
import { AppError } from "#domain/errors.ts";
import type { CurrentUser } from "#domain/wire.ts";
import { saveEmailChange } from "../db/email-changes.ts";
import { replacePassword } from "../db/passwords.ts";
import { findPassword, type PasswordRow } from "../db/sign-ins.ts";
import { beginUserDeletion, changeEmailWithoutVerification } from "../db/users.ts";
import { localizedError } from "../errors/translate-error.ts";
import { emailChangeAskedMessage } from "../mail/messages/sign-in.tsx";
import type { Services } from "../services.ts";
import { hashToken } from "../tokens.ts";
import type { SessionChange } from "./accounts.ts";
import { mailVerification } from "./auth.ts";
import { requireConfirmed } from "./confirm.ts";
import { createToken } from "./cookies.ts";
import { tellEmailChanged } from "./mailed-links.ts";
import { checkPassword, listWays, tellPasswordChanged } from "./passwords.ts";
import type { CurrentSession } from "./session.ts";
import { signIn } from "./sign-in.ts";
import { type Visit, placeOf } from "./visit.ts";

/**
 * Ends all sessions and begins a new one, which ends with the browser if the present session does. An account without a
 * password gets its first password from a confirmed session.
 * @param now epoch milliseconds @throws AppError WRONG_PASSWORD; CONFIRM_REQUIRED with `methods`
 */
export async function changePassword(
  services: Services,
  session: CurrentSession,
  { currentPassword, newPassword }: { currentPassword?: string | undefined; newPassword: string },
  visit: Visit,
  now: number,
): Promise<SessionChange> {
  const { auth, db } = services;
  const { user } = session;
  await requirePasswordOrConfirmed(services, session, await findOwn(services, session), currentPassword, now);
  const { password: passwords } = await auth.$context;
  const [passwordHash, before] = await Promise.all([passwords.hash(newPassword), listWays(services, user.id, now)]);
  const accessRevision = await replacePassword(db, user.id, passwordHash);
  if (accessRevision === null) throw new AppError("INVALID_CREDENTIALS");
  await tellPasswordChanged(services, user, { before, isClaimed: false }, now);
  const rememberMe = !session.endsWithBrowser;
  // The proof counts as two factors, because the present session has already shown every factor that was required.
  const proof = { who: user.id, by: "password", factors: 2, accessRevision } as const;
  const { cookies } = await signIn(services, proof, visit, { rememberMe, insteadOfSignIn: "password.changed" }, now);
  return { user, cookies };
}

/**
 * Ends the account's links and sessions at once. `removeAccount` deletes objects and rows later.
 * @throws AppError WRONG_PASSWORD; CONFIRM_REQUIRED with `methods` for an account with a second factor or without a
 * password
 */
export async function deleteAccount(
  services: Services,
  session: CurrentSession,
  password: string | undefined,
  now: number,
): Promise<void> {
  const { user } = session;
  const account = await findOwn(services, session);
  if (account.hasSecondFactor) await requireConfirmed(services, session, now);
  await requirePasswordOrConfirmed(services, session, account, password, now);
  await beginUserDeletion(services.db, user.id, now);
}

/** @throws AppError WRONG_PASSWORD for an account that was deleted since its session was read */
async function findOwn({ db }: Services, { user }: CurrentSession): Promise<PasswordRow> {
  const account = await findPassword(db, { id: user.id });
  if (!account) throw new AppError("WRONG_PASSWORD");
  return account;
}

/** An account without a password needs a confirmed session instead. */
async function requirePasswordOrConfirmed(
  services: Services,
  session: CurrentSession,
  { hash }: PasswordRow,
  password: string | undefined,
  now: number,
): Promise<void> {
  if (hash === null) {
    await requireConfirmed(services, session, now);
    return;
  }
  if (!(await checkPassword(services, hash, password ?? ""))) throw new AppError("WRONG_PASSWORD");
}

/**
 * Mails the present address a link that undoes the change. If verification is off, an unverified address changes at
 * once. A verified address, or any address if verification is on, changes when the link that is mailed to the new
 * address is opened. Answers a taken address like a free one, so that accounts cannot be discovered. The caller checks
 * first that the session is confirmed.
 * @param now epoch milliseconds
 * @throws AppError BAD_REQUEST if the address is the current one
 */
export async function changeEmail(
  services: Services,
  user: CurrentUser,
  newEmail: string,
  visit: Visit,
  now: number,
): Promise<{ pending: boolean }> {
  const { auth, db, outbox, settings } = services;
  if (newEmail === user.email) throw localizedError("BAD_REQUEST", "sameAddress", {});
  const token = createToken();
  const undoUrl = `${settings.origin}/undo-email?token=${token}`;
  const mail = outbox.prepare(emailChangeAskedMessage(user.email, newEmail, undoUrl));
  const event = { ...placeOf(visit), userId: user.id, at: now, kind: "email.requested" } as const;
  await saveEmailChange(db, { former: user.email, tokenHash: await hashToken(token) }, event, mail);
  mail.send();
  if (settings.emailVerification === "required" || user.isVerified) {
    const { internalAdapter, secret } = await auth.$context;
    const isTaken = (await internalAdapter.findUserByEmail(newEmail)) !== null;
    const link = await createEmailVerificationToken(secret, user.email, newEmail);
    if (!isTaken) await mailVerification(services, { id: user.id, email: newEmail }, link);
    return { pending: true };
  }
  const changed = await changeEmailWithoutVerification(db, user.id, user.email, newEmail, now);
  if (changed) await tellEmailChanged(services, user.email, newEmail);
  return { pending: !changed };
}
