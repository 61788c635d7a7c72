import { AppError } from "#domain/errors.ts";
import { planOf, type PlanId } from "#domain/plans.ts";
import type { AdminUser, AdminUsersQuery, AdminViewer, Paged } from "#domain/wire.ts";
import { resendVerification } from "../accounts/mailed-links.ts";
import { overridePlan } from "../billing/override.ts";
import { demoteUser, findUser, listUsers, promoteUser, setUserEmail, type AdminUserRow } from "../db/admin-users.ts";
import { toPage } from "../db/paging.ts";
import { beginUserDeletion, emailExists } from "../db/users.ts";
import { localizedError } from "../errors/translate-error.ts";
import { emailChangedMessage, emailAssignedMessage } from "../mail/messages/account.tsx";
import type { Services } from "../services.ts";
import { toIso } from "../urls.ts";
import { removeAccount } from "./remove-account.ts";

export async function listAllUsers({ db }: Services, query: AdminUsersQuery): Promise<Paged<AdminUser>> {
  return toPage(await listUsers(db, query), describe);
}

/** @throws AppError NOT_FOUND */
export async function getUser({ db }: Services, userId: string): Promise<AdminUser> {
  return describe(await getUserRow({ db }, userId));
}

function describe({ deletedAt, createdAt, suspendedAt, ...row }: AdminUserRow): AdminUser {
  return {
    ...row,
    createdAt: createdAt.toISOString(),
    isDeleting: deletedAt !== null,
    suspendedAt: toIso(suspendedAt?.getTime() ?? null),
  };
}

/**
 * Changes a user's address, mails the old and the new one, and ends links that were mailed to the old one. Sessions
 * stay valid.
 * @param now epoch milliseconds
 * @throws AppError NOT_FOUND, EMAIL_TAKEN
 */
export async function changeUserEmail(
  services: Services,
  admin: AdminViewer,
  userId: string,
  email: string,
  now: number,
): Promise<AdminUser> {
  const { db, outbox, settings } = services;
  const user = await getActiveUserRow(services, userId);
  if (user.email === email) return describe(user);
  const entry = { admin, action: "user.email", target: userId, details: `${user.email} → ${email}`, at: now } as const;
  if (!(await setUserEmail(db, userId, email, entry))) {
    throw new AppError((await emailExists(db, email, now)) ? "EMAIL_TAKEN" : "NOT_FOUND");
  }
  await outbox.post(emailChangedMessage(user.email, email, settings.origin));
  await outbox.post(emailAssignedMessage(email, user.email, settings.origin));
  resendVerification(services, email);
  return getUser(services, userId);
}

/**
 * Changes a user's plan at once, and cancels a paid subscription.
 * @param now epoch milliseconds
 * @throws AppError NOT_FOUND, STRIPE_UNREACHABLE
 */
export async function changeUserPlan(
  services: Services,
  admin: AdminViewer,
  userId: string,
  planType: PlanId,
  now: number,
): Promise<AdminUser> {
  const user = await getActiveUserRow(services, userId);
  const details = `${planOf(user.planType).name} → ${planOf(planType).name}`;
  await overridePlan(services, planType, { admin, action: "user.plan", target: userId, details, at: now });
  return getUser(services, userId);
}

/**
 * Gives or takes the role of an administrator, which takes effect with the user's next request. The last administrator
 * with an account keeps the role; the administrator in the settings does not count, because settings may be removed at
 * any time.
 * @param now epoch milliseconds
 * @throws AppError NOT_FOUND, LAST_ADMIN
 */
export async function changeUserRole(
  services: Services,
  admin: AdminViewer,
  userId: string,
  isAdmin: boolean,
  now: number,
): Promise<AdminUser> {
  const { db } = services;
  const user = await getActiveUserRow(services, userId);
  const entry = { admin, target: userId, details: user.email, at: now };
  if (isAdmin) await promoteUser(db, userId, { ...entry, action: "user.promote" });
  else await demoteUser(db, userId, { ...entry, action: "user.demote" });
  const changed = await getUser(services, userId);
  if (changed.isAdmin !== isAdmin) throw new AppError(changed.isDeleting ? "NOT_FOUND" : "LAST_ADMIN");
  return changed;
}

/**
 * Ends a user's links and sessions at once. Once the links and sessions have ended, removes subscription, objects and
 * rows; if a removal fails, the cron completes it.
 * @param now epoch milliseconds
 * @throws AppError NOT_FOUND, LAST_ADMIN
 */
export async function deleteUser(services: Services, admin: AdminViewer, userId: string, now: number): Promise<void> {
  const user = await getUserRow(services, userId);
  const entry = { admin, action: "user.delete", target: userId, details: user.email, at: now } as const;
  if (!(await beginUserDeletion(services.db, userId, now, entry))) {
    throw new AppError((await findUser(services.db, userId)) ? "LAST_ADMIN" : "NOT_FOUND");
  }
  services.waitUntil(removeAccount(services, userId, now));
}

async function getUserRow({ db }: Pick<Services, "db">, userId: string): Promise<AdminUserRow> {
  const user = await findUser(db, userId);
  if (!user) throw localizedError("NOT_FOUND", "noSuchUser", {});
  return user;
}

/** @throws AppError NOT_FOUND, also for a user who is being deleted */
export async function getActiveUserRow(services: Services, userId: string): Promise<AdminUserRow> {
  const user = await getUserRow(services, userId);
  if (user.deletedAt) throw localizedError("NOT_FOUND", "userLeaving", {});
  return user;
}
