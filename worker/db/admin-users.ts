import { and, asc, desc, eq, isNull, sql } from "drizzle-orm";
import type { AdminUsersQuery } from "#domain/wire.ts";
import { auditEntryInsert, type AuditEntry } from "./admin-audit.ts";
import type { Database } from "./client.ts";
import { beginsWith, countUpTo, windowOf } from "./paging.ts";
import { deleteResetLinks } from "./reset-links.ts";
import { adminSessions, users } from "./schema.ts";

const { id, email, isAdmin, planType, isVerified, createdAt, deletedAt } = users;
const columns = { id, email, isAdmin, planType, isVerified, createdAt, deletedAt };

export interface AdminUserRow {
  id: string;
  email: string;
  isAdmin: boolean;
  planType: typeof users.$inferSelect.planType;
  isVerified: boolean;
  createdAt: Date;
  deletedAt: Date | null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const rowid = sql`${users}.rowid`;
const ORDERS = {
  newest: [desc(users.createdAt), desc(rowid)],
  oldest: [asc(users.createdAt), asc(rowid)],
  email: [asc(users.email)],
};

/**
 * A page of everybody, those whose deletion has begun among them. A search is a range of the index on addresses, or one
 * id: nothing is found in the middle of an address, and nothing is scanned.
 */
export async function listUsers(
  db: Database,
  { page = 1, q = "", sort = "newest" }: AdminUsersQuery,
): Promise<{ rows: AdminUserRow[]; total: number }> {
  const wanted = q.toLowerCase();
  const matching =
    wanted === "" ? undefined : UUID.test(wanted) ? eq(users.id, wanted) : beginsWith(sql`${users.email}`, wanted);
  const { limit, offset } = windowOf(page);
  const [rows, [counted]] = await db.batch([
    db
      .select(columns)
      .from(users)
      .where(matching)
      .orderBy(...ORDERS[matching ? "email" : sort])
      .limit(limit)
      .offset(offset),
    countUpTo(db, users, matching),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

/** That person, deletion begun or not; or null. */
export async function findUser(db: Database, userId: string): Promise<AdminUserRow | null> {
  const [row] = await db.select(columns).from(users).where(eq(users.id, userId)).limit(1);
  return row ?? null;
}

/** Makes somebody an administrator. @returns whether anything changed */
export async function promoteUser(db: Database, userId: string, entry: AuditEntry): Promise<boolean> {
  const [promoted] = await db.batch([
    db
      .update(users)
      .set({ isAdmin: true })
      .where(and(eq(users.id, userId), eq(users.isAdmin, false), isNull(users.deletedAt))),
    auditEntryInsert(db, entry),
  ]);
  return promoted.meta.changes === 1;
}

/** Whether there is an administrator with an account besides one. The administrator of the settings does not count. */
export const IS_NOT_THE_LAST_ADMIN = sql`(select count(*) from ${users} where ${users.isAdmin} = 1) > 1`;

/** Takes somebody's administration away, unless they are the last one; their sessions there end. @returns whether */
export async function demoteUser(db: Database, userId: string, entry: AuditEntry): Promise<boolean> {
  const [demoted] = await db.batch([
    db
      .update(users)
      .set({ isAdmin: false })
      .where(and(eq(users.id, userId), eq(users.isAdmin, true), IS_NOT_THE_LAST_ADMIN)),
    auditEntryInsert(db, entry),
    db
      .delete(adminSessions)
      .where(
        and(
          eq(adminSessions.userId, userId),
          sql`exists (select 1 from ${users} where ${users.id} = ${userId} and ${users.isAdmin} = 0)`,
        ),
      ),
  ]);
  return demoted.meta.changes === 1;
}

/**
 * Gives somebody another address (lower case), unconfirmed; links mailed to the old one do nothing any more.
 * @returns whether it is theirs; not when somebody else has it, or the person has gone or already has it
 */
export async function setUserEmail(
  db: Database,
  userId: string,
  newEmail: string,
  entry: AuditEntry,
): Promise<boolean> {
  const taken = sql`exists (select 1 from ${users} as other where other.email = ${newEmail})`;
  const [changed] = await db.batch([
    db
      .update(users)
      .set({ email: newEmail, isVerified: false, verificationToken: null, verificationTokenExpiry: null })
      .where(and(eq(users.id, userId), isNull(users.deletedAt), sql`not ${taken}`)),
    auditEntryInsert(db, entry),
    deleteResetLinks(db, userId, newEmail),
  ]);
  return changed.meta.changes === 1;
}
