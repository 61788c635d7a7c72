import { and, eq, gt, isNull, lte, sql } from "drizzle-orm";
import type { AdminViewer } from "#domain/wire.ts";
import { auditEntryInsert } from "./admin-audit.ts";
import type { Database } from "./client.ts";
import { accounts, adminSessions, users } from "./schema.ts";

export interface AdminAccount {
  id: string;
  isVerified: boolean;
  passwordHash: string | null;
}

/** @param email in lower case */
export async function findAdminAccount(db: Database, email: string): Promise<AdminAccount | null> {
  const [row] = await db
    .select({ id: users.id, isVerified: users.isVerified, passwordHash: accounts.password })
    .from(users)
    .innerJoin(accounts, and(eq(accounts.userId, users.id), eq(accounts.providerId, "credential")))
    .where(and(eq(users.email, email), eq(users.isAdmin, true), isNull(users.deletedAt)))
    .limit(1);
  return row ?? null;
}

export interface NewAdminSession {
  tokenHash: string;
  admin: AdminViewer;
  /** Identifies the configured credentials; null for an administrator with an account. */
  settingsKey: string | null;
  expiresAt: number;
  at: number;
}

export async function insertAdminSession(db: Database, session: NewAdminSession): Promise<void> {
  const { tokenHash, admin, settingsKey, at } = session;
  await db.batch([
    db.insert(adminSessions).values({
      tokenHash,
      ...admin,
      settingsKey,
      createdAt: new Date(at),
      lastSeenAt: new Date(at),
      expiresAt: new Date(session.expiresAt),
    }),
    auditEntryInsert(db, { admin, action: "admin.login", target: admin.userId ?? "", details: "", at }),
  ]);
}

export interface AdminSessionRow {
  id: string;
  userId: string | null;
  username: string;
  settingsKey: string | null;
  lastSeenAt: Date;
}

/** Not expired, used after `idleSince`, and of the configured administrator or an account that still has the role. */
export async function findAdminSession(
  db: Database,
  tokenHash: string,
  idleSince: number,
  now: number,
): Promise<AdminSessionRow | null> {
  const { id, userId, username, settingsKey, lastSeenAt } = adminSessions;
  const [row] = await db
    .select({ id, userId, username, settingsKey, lastSeenAt })
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

/** Records that a session was used, unless it is already idle for too long. */
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

export async function deleteExpiredAdminSessions(db: Database, before: number, limit: number): Promise<number> {
  const expired = db
    .select({ id: adminSessions.id })
    .from(adminSessions)
    .where(lte(adminSessions.expiresAt, new Date(before)))
    .orderBy(adminSessions.expiresAt)
    .limit(limit);
  const { meta } = await db.delete(adminSessions).where(sql`${adminSessions.id} in ${expired}`);
  return meta.changes;
}
