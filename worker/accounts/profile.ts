import { AppError } from "#domain/errors.ts";
import type { CurrentUser, ListedSession } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import { beginUserDeletion, changeEmailWithoutVerification } from "../db/users.ts";
import { addressChangedMessage } from "../mail/messages/account.tsx";
import { localizedError } from "../errors/translate-error.ts";
import type { SessionChange } from "./accounts.ts";
import { mapAuthError } from "./auth-error.ts";
import { removeAccount } from "./deletion.ts";
import { notify } from "./notify.ts";

/** @throws AppError WRONG_PASSWORD */
export async function requirePassword({ auth }: Services, password: string, headers: Headers): Promise<void> {
  await mapAuthError(auth.api.verifyPassword({ body: { password }, headers }), wrongPassword);
}

/**
 * Changes an unverified address at once if verification is off, otherwise when the user opens the mailed link. Returns
 * `pending: true` for a taken address too, so that accounts cannot be discovered. The caller checks the password first.
 * @throws AppError BAD_REQUEST if the address is the current one
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
  const changed = await changeEmailWithoutVerification(db, user.id, user.email, newEmail);
  if (changed) await notify(outbox, addressChangedMessage(user.email, newEmail, settings.origin));
  return { pending: !changed };
}

/** Ends all sessions and starts a new one for this browser. @throws AppError WRONG_PASSWORD */
export async function changePassword(
  { auth }: Services,
  user: CurrentUser,
  request: { currentPassword: string; newPassword: string },
  headers: Headers,
): Promise<SessionChange> {
  // The `account.update` hook in auth.ts ends the sessions and sends the mail.
  const result = await mapAuthError(
    auth.api.changePassword({ body: { ...request, revokeOtherSessions: true }, headers, returnHeaders: true }),
    wrongPassword,
  );
  return { user, cookies: result.headers.getSetCookie() };
}

/** The current session first, then the newest. */
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

/** @throws AppError NOT_FOUND */
export async function endSession({ auth }: Services, id: string, headers: Headers): Promise<void> {
  const session = (await auth.api.listSessions({ headers })).find((candidate) => candidate.id === id);
  if (!session) throw localizedError("NOT_FOUND", "sessionEnded", {});
  await auth.api.revokeSession({ body: { token: session.token }, headers });
}

export async function endOtherSessions({ auth }: Services, headers: Headers): Promise<void> {
  await auth.api.revokeOtherSessions({ headers });
}

/** Ends links and sessions at once; deletes objects and rows in the background. @throws AppError WRONG_PASSWORD */
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

function wrongPassword(): AppError {
  return new AppError("WRONG_PASSWORD");
}
