import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { withAsciiDomain } from "#domain/email-address.ts";
import type { AdminUsersQuery, UserOrder } from "#domain/wire.ts";
import { accountEventInsert } from "./account-events.ts";
import { auditEntryInsert, type AuditEntry } from "./admin-audit.ts";
import type { Database } from "./client.ts";
import { forgetEmailChanges } from "./email-changes.ts";
import { startsWith, cappedCount, readPage, type CountedPage, type RowOrder } from "./paging.ts";
import { deleteResetLinks } from "./passwords.ts";
import { adminSessions, challenges, users } from "./schema.ts";
import { FACTOR_COLUMNS } from "./second-factors.ts";

const { id, email, isAdmin, planType, isVerified, createdAt, deletedAt, suspendedAt } = users;
const columns = { id, email, isAdmin, planType, isVerified, createdAt, deletedAt, suspendedAt, ...FACTOR_COLUMNS };

export interface AdminUserRow extends Pick<
  typeof users.$inferSelect,
  "id" | "email" | "isAdmin" | "planType" | "isVerified" | "createdAt" | "deletedAt" | "suspendedAt"
> {
  hasSecondFactor: boolean;
  hasPasskey: boolean;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ORDERS: Record<UserOrder, RowOrder> = {
  newest: { by: sql`${users.createdAt}`, descending: true },
  oldest: { by: sql`${users.createdAt}`, descending: false },
  email: { by: sql`${users.email}`, descending: false },
};

/**
 * Lists users, also users who are being deleted. A search matches an id or an address's start, so that an index answers
 * it.
 */
export async function listUsers(
  db: Database,
  { q = "", sort = "newest", ...place }: AdminUsersQuery,
): Promise<CountedPage<AdminUserRow>> {
  const search = withAsciiDomain(q.toLowerCase());
  const matching =
    search === "" ? undefined : UUID.test(search) ? eq(users.id, search) : startsWith(sql`${users.email}`, search);
  const page = readPage(users, matching, ORDERS[matching ? "email" : sort], place);
  const [found, [counted]] = await db.batch([
    db.select({ ...columns, ...page.edge }).from(page.source),
    cappedCount(db, users, matching),
  ]);
  return { ...page.cut(found), total: counted?.total ?? 0 };
}

/** Finds a user, even one being deleted. */
export async function findUser(db: Database, userId: string): Promise<AdminUserRow | null> {
  const [row] = await db.select(columns).from(users).where(eq(users.id, userId)).limit(1);
  return row ?? null;
}

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

/** Neither the administrator in the settings, who has no account, nor a suspended account is counted. */
export const IS_NOT_THE_LAST_ADMIN = sql`(
  select count(*) from ${users} where ${users.isAdmin} = 1 and ${users.suspendedAt} is null) > 1`;

/** Takes the admin role from a user and ends their admin sessions. @returns false for the last administrator */
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
 * Sets an address. Voids links mailed to the old address, and a waiting removal of the second factor.
 * @param newEmail in lower case @returns false when the address is taken or the user is being deleted
 */
export async function setUserEmail(
  db: Database,
  userId: string,
  newEmail: string,
  entry: AuditEntry,
): Promise<boolean> {
  const isTaken = sql`exists (select 1 from ${users} as other where other.email = ${newEmail})`;
  const isChanged = sql`exists (select 1 from ${users} where ${users.id} = ${userId} and ${users.email} = ${newEmail})`;
  const [changed] = await db.batch([
    db
      .update(users)
      .set({
        email: newEmail,
        isVerified: false,
        isAddressGiven: true,
        verificationToken: null,
        verificationTokenExpiry: null,
      })
      .where(and(eq(users.id, userId), isNull(users.deletedAt), sql`not ${isTaken}`)),
    auditEntryInsert(db, entry),
    accountEventInsert(
      db,
      { userId, at: entry.at, kind: "email.changed", device: "", address: "" },
      sql`changes() > 0`,
    ),
    deleteResetLinks(db, userId, newEmail),
    // Deletes the undo links of earlier changes of the address: a stranger who had given the account their own address
    // could restore it with one.
    forgetEmailChanges(db, userId, isChanged),
    db
      .delete(challenges)
      .where(and(eq(challenges.userId, userId), inArray(challenges.kind, ["factor-removal", "not-me"]), isChanged)),
  ]);
  return changed.meta.changes === 1;
}
