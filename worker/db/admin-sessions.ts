import { and, eq, gt, isNull, lt, sql } from "drizzle-orm";
import type { AdminSignInMethod } from "#domain/sign-in.ts";
import type { AdminViewer } from "#domain/wire.ts";
import { auditEntryInsert } from "./admin-audit.ts";
import type { Database } from "./client.ts";
import { accounts, adminSessions, challenges, users } from "./schema.ts";
import { FACTOR_COLUMNS } from "./second-factors.ts";
import { hasAccessRevision } from "./ways-in.ts";

export interface AdminAccount {
  id: string;
  email: string;
  isVerified: boolean;
  passwordHash: string | null;
  accessRevision: number;
  hasSecondFactor: boolean;
  hasPasskey: boolean;
}

/**
 * @param owner an account's id or address; the address must be in lower case
 * @returns null for a person who is no administrator, and for a suspended one
 */
export async function findAdminAccount(
  db: Database,
  owner: { email: string } | { id: string },
): Promise<AdminAccount | null> {
  const { id, email, isVerified, accessRevision } = users;
  const isOwner = "id" in owner ? eq(id, owner.id) : eq(email, owner.email);
  const [row] = await db
    .select({ id, email, isVerified, passwordHash: accounts.password, accessRevision, ...FACTOR_COLUMNS })
    .from(users)
    .leftJoin(accounts, and(eq(accounts.userId, id), eq(accounts.providerId, "credential")))
    .where(and(isOwner, eq(users.isAdmin, true), isNull(users.deletedAt), isNull(users.suspendedAt)))
    .limit(1);
  return row ?? null;
}

export interface NewAdminSession {
  tokenHash: string;
  admin: AdminViewer;
  /** Identifies the credentials in the settings; null for an administrator with an account. */
  settingsKey: string | null;
  /** The account's access revision when the login began; null for the administrator in the settings. */
  accessRevision: number | null;
  method: AdminSignInMethod;
  expiresAt: number;
  at: number;
}

/** @returns false when the account has lost the admin role, is being deleted, or has a higher access revision */
export async function insertAdminSession(db: Database, session: NewAdminSession): Promise<boolean> {
  const { tokenHash, admin, settingsKey, accessRevision, method, expiresAt, at } = session;
  const { userId, username } = admin;
  const isAdmin = sql`exists (select 1 from ${users} where ${users.id} = ${userId} and ${users.isAdmin} = 1)`;
  const mayBegin =
    userId === null || accessRevision === null
      ? sql`${userId} is null`
      : sql`${isAdmin} and ${hasAccessRevision(userId, accessRevision)}`;
  const [inserted] = await db.batch([
    db.insert(adminSessions).select(
      sql`select ${crypto.randomUUID()}, ${tokenHash}, ${userId}, ${username}, ${settingsKey}, ${at}, ${at},
        ${expiresAt}, ${method}, ${at} where ${mayBegin}`,
    ),
    auditEntryInsert(db, { admin, action: "admin.login", target: userId ?? "", details: "", at }),
  ]);
  return inserted.meta.changes === 1;
}

export type AdminSessionRow = Pick<
  typeof adminSessions.$inferSelect,
  "id" | "userId" | "username" | "settingsKey" | "lastSeenAt" | "method" | "confirmedAt"
>;

/**
 * Finds a valid session used after `idleSince`, of the administrator in the settings or of an account with the admin
 * role.
 */
export async function findAdminSession(
  db: Database,
  tokenHash: string,
  idleSince: number,
  now: number,
): Promise<AdminSessionRow | null> {
  const { id, userId, username, settingsKey, lastSeenAt, method, confirmedAt } = adminSessions;
  const [row] = await db
    .select({ id, userId, username, settingsKey, lastSeenAt, method, confirmedAt })
    .from(adminSessions)
    .leftJoin(users, eq(users.id, adminSessions.userId))
    .where(
      and(
        eq(adminSessions.tokenHash, tokenHash),
        gt(adminSessions.expiresAt, new Date(now)),
        gt(adminSessions.lastSeenAt, new Date(idleSince)),
        sql`(${adminSessions.userId} is null or (${users.isAdmin} = 1 and ${users.deletedAt} is null))`,
      ),
    )
    .limit(1);
  return row ?? null;
}

/** Notes that the administrator has just proved their identity. @param now epoch milliseconds */
export async function confirmAdminSession(db: Database, id: string, now: number): Promise<void> {
  await db
    .update(adminSessions)
    .set({ confirmedAt: new Date(now) })
    .where(eq(adminSessions.id, id));
}

/**
 * Accepts each TOTP code of the administrator in the settings once, also in a race: accepted time steps only rise. This
 * administrator has no account, so a row of `challenges` keeps the last time step while its code is valid.
 * @param key the row's key, a hash of the app's secret
 * @param expiresAt epoch milliseconds
 * @returns whether this call used the code
 */
export async function useConfiguredStepOfTime(
  db: Database,
  key: string,
  stepOfTime: number,
  expiresAt: number,
): Promise<boolean> {
  const used = { data: String(stepOfTime), expiresAt: new Date(expiresAt) };
  const { meta } = await db
    .insert(challenges)
    .values({ tokenHash: key, kind: "admin-code", userId: null, ...used })
    .onConflictDoUpdate({
      target: challenges.tokenHash,
      set: used,
      setWhere: lt(sql`cast(${challenges.data} as integer)`, stepOfTime),
    });
  return meta.changes === 1;
}

/** Records that a session was used, unless the session was last used before `idleSince`. */
export async function touchAdminSession(db: Database, id: string, idleSince: number, now: number): Promise<void> {
  await db
    .update(adminSessions)
    .set({ lastSeenAt: new Date(now) })
    .where(and(eq(adminSessions.id, id), gt(adminSessions.lastSeenAt, new Date(idleSince))));
}

export async function endAdminSession(db: Database, tokenHash: string, admin: AdminViewer, at: number): Promise<void> {
  await db.batch([
    db.delete(adminSessions).where(eq(adminSessions.tokenHash, tokenHash)),
    auditEntryInsert(db, { admin, action: "admin.logout", target: admin.userId ?? "", details: "", at }),
  ]);
}
