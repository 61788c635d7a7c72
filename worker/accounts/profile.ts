import { APIError } from "better-auth/api";
import { AppError } from "#domain/errors.ts";
import type { CurrentUser, ListedSession } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import { beginUserDeletion, changeEmailAtOnce } from "../db/users.ts";
import { addressChangedMessage } from "../mail/messages/account.tsx";
import { localizedError } from "../errors/translate-error.ts";
import type { SessionChange } from "./accounts.ts";
import { removeAccount } from "./deletion.ts";
import { notify } from "./notify.ts";

/**
 * Checks the password of the person who calls.
 * @throws AppError WRONG_PASSWORD
 */
export async function requirePassword({ auth }: Services, password: string, headers: Headers): Promise<void> {
  await checkingPassword(auth.api.verifyPassword({ body: { password }, headers }));
}

/**
 * Changes the address: once the link mailed to the new one has been opened, or at once where verification is off and
 * the former address was never confirmed. An address that somebody else has answers as if a mail had gone out, and
 * changes nothing. Whoever calls this has checked the password.
 * @returns whether a mailed link has to be opened first
 * @throws AppError BAD_REQUEST when it is the same address
 */
export async function changeEmail(
  { auth, db, outbox, settings }: Services,
  user: CurrentUser,
  newEmail: string,
  headers: Headers,
): Promise<{ pending: boolean }> {
  if (newEmail === user.email) throw localizedError("BAD_REQUEST", "sameAddress", {});
  if (settings.emailVerification === "required" || user.isVerified) {
    await auth.api.changeEmail({ body: { newEmail }, headers });
    return { pending: true };
  }
  const changed = await changeEmailAtOnce(db, user.id, user.email, newEmail);
  if (changed) await notify(outbox, addressChangedMessage(user.email, newEmail, settings.origin));
  return { pending: !changed };
}

/**
 * Changes the password and ends every session from before; the person goes on in a new one.
 * @throws AppError WRONG_PASSWORD
 */
export async function changePassword(
  { auth }: Services,
  user: CurrentUser,
  request: { currentPassword: string; newPassword: string },
  headers: Headers,
): Promise<SessionChange> {
  // What it ends, and the mail, are in better-auth's hook (auth.ts).
  const result = await checkingPassword(
    auth.api.changePassword({ body: { ...request, revokeOtherSessions: true }, headers, returnHeaders: true }),
  );
  return { user, cookies: result.headers.getSetCookie() };
}

/** Where the person is signed in, this session first, then the newest. */
export async function listSessions({ auth }: Services, headers: Headers): Promise<ListedSession[]> {
  const [sessions, current] = await Promise.all([auth.api.listSessions({ headers }), auth.api.getSession({ headers })]);
  return sessions
    .map((session) => ({
      id: session.id,
      createdAt: session.createdAt.toISOString(),
      address: session.ipAddress ?? null,
      userAgent: session.userAgent ?? null,
      isCurrent: session.id === current?.session.id,
    }))
    .sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.createdAt.localeCompare(a.createdAt));
}

/** Ends one of the person's own sessions. @throws AppError NOT_FOUND */
export async function endSession({ auth }: Services, id: string, headers: Headers): Promise<void> {
  const session = (await auth.api.listSessions({ headers })).find((candidate) => candidate.id === id);
  if (!session) throw localizedError("NOT_FOUND", "sessionEnded", {});
  await auth.api.revokeSession({ body: { token: session.token }, headers });
}

/** Ends every session of the person but this one. */
export async function endOtherSessions({ auth }: Services, headers: Headers): Promise<void> {
  await auth.api.revokeOtherSessions({ headers });
}

/**
 * Deletes the account: links and sessions end now, objects and rows follow.
 * @param now epoch milliseconds
 * @throws AppError WRONG_PASSWORD
 */
export async function deleteAccount(
  services: Services,
  user: CurrentUser,
  password: string,
  headers: Headers,
  now: number,
): Promise<void> {
  await requirePassword(services, password, headers);
  await beginUserDeletion(services.db, user.id, now);
  services.waitUntil(removeAccount(services, user.id, now));
}

async function checkingPassword<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof APIError && error.statusCode < 500) throw new AppError("WRONG_PASSWORD");
    throw error;
  }
}
