import { and, eq, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import { mailboxOf } from "#domain/moderation/mailbox.ts";
import { hashToken } from "../tokens.ts";
import { auditEntryInsert, type AuditEntry } from "./admin-audit.ts";
import { IS_NOT_THE_LAST_ADMIN } from "./admin-users.ts";
import type { Database } from "./client.ts";
import { approvedCodesRemoval } from "./device-codes.ts";
import { isUploading } from "./files.ts";
import { outboxInsert, type DueMail } from "./mail.ts";
import { adminSessions, barredMailboxes, cases, challenges, files, sessions, users, webhooks } from "./schema.ts";
import { statementInsert, type NewStatement } from "./statements.ts";
import { raiseAccessRevision } from "./ways-in.ts";
import { webhooksOff } from "./webhooks.ts";

/**
 * Suspends an account in one transaction: its sessions, steps of sign-ins, approved programs, links and webhooks end.
 * @param entry `target` is the account's id @param email the account's address
 * @returns false when the account is unknown, being deleted, suspended already, or the last administrator's
 */
export async function suspendUser(
  db: Database,
  email: string,
  entry: AuditEntry,
  statement: NewStatement,
  mail: DueMail,
): Promise<boolean> {
  const { target: userId, at } = entry;
  const mailboxHash = await hashToken(mailboxOf(email));
  const isNow = sql`exists (select 1 from ${users} where ${users.id} = ${userId} and ${users.suspendedAt} = ${at})`;
  const [suspended] = await db.batch([
    db
      .update(users)
      .set({ suspendedAt: new Date(at), verificationToken: null })
      .where(
        and(
          eq(users.id, userId),
          isNull(users.deletedAt),
          isNull(users.suspendedAt),
          or(eq(users.isAdmin, false), IS_NOT_THE_LAST_ADMIN),
        ),
      ),
    auditEntryInsert(db, entry),
    raiseAccessRevision(db, sql`${userId}`, isNow),
    db
      .update(files)
      .set({ suspendedAt: new Date(at) })
      .where(and(eq(files.userId, userId), isNow)),
    ...webhooksOff(db, userId, at, isNow),
    db.delete(sessions).where(and(eq(sessions.userId, userId), isNow)),
    db.delete(adminSessions).where(and(eq(adminSessions.userId, userId), isNow)),
    approvedCodesRemoval(db, userId, isNow),
    db.delete(challenges).where(and(eq(challenges.userId, userId), isNow)),
    db
      .insert(barredMailboxes)
      .select(sql`select ${mailboxHash}, ${userId}, ${at} where ${isNow}`)
      .onConflictDoNothing(),
    statementInsert(db, statement, isNow),
    outboxInsert(db, mail, isNow, at),
  ]);
  return suspended.meta.changes === 1;
}

/**
 * Lifts a suspension in one transaction: the links and the webhooks that it had switched off work again.
 * @returns false when the account is not suspended, or is being deleted
 */
export async function restoreUser(db: Database, entry: AuditEntry, mail: DueMail): Promise<boolean> {
  const { target: userId } = entry;
  const isSuspended = and(eq(users.id, userId), isNotNull(users.suspendedAt), isNull(users.deletedAt));
  const since = sql`(select ${users.suspendedAt} from ${users} where ${isSuspended})`;
  const isBack = sql`exists (select 1 from ${users} where ${users.id} = ${userId} and ${users.suspendedAt} is null)`;
  const [, , restored] = await db.batch([
    db
      .update(webhooks)
      .set({ disabledAt: null })
      .where(and(eq(webhooks.userId, userId), eq(webhooks.disabledAt, since))),
    outboxInsert(db, mail, sql`${since} is not null`, entry.at),
    db.update(users).set({ suspendedAt: null }).where(isSuspended),
    auditEntryInsert(db, entry),
    db
      .update(files)
      .set({ suspendedAt: null })
      .where(and(eq(files.userId, userId), isNotNull(files.suspendedAt), isBack)),
    db.delete(barredMailboxes).where(and(eq(barredMailboxes.userId, userId), isBack)),
  ]);
  return restored.meta.changes === 1;
}

/** Whether an account is suspended, for the refusal of what its row's condition has stopped. */
export async function isSuspended(db: Database, userId: string): Promise<boolean> {
  const [row] = await db.select({ suspendedAt: users.suspendedAt }).from(users).where(eq(users.id, userId)).limit(1);
  return row !== undefined && row.suspendedAt !== null;
}

/** Lists suspended accounts that still have an unfinished upload. */
export async function listSuspendedUploaders(db: Database, limit: number): Promise<string[]> {
  const uploading = sql`exists (select 1 from ${files} where ${files.userId} = ${users.id} and ${isUploading})`;
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(isNotNull(users.suspendedAt), isNull(users.deletedAt), uploading))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/**
 * Lists accounts that were suspended until `before`, in epoch milliseconds. An open objection keeps its account off the
 * list.
 */
export async function listLongSuspended(
  db: Database,
  before: number,
  limit: number,
): Promise<{ id: string; email: string }[]> {
  const isObjected = sql`exists (select 1 from ${cases} where ${cases.userId} = ${users.id}
    and ${cases.kind} = 'objection' and ${cases.closedAt} is null)`;
  return db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(and(lte(users.suspendedAt, new Date(before)), isNull(users.deletedAt), sql`not ${isObjected}`))
    .orderBy(users.suspendedAt)
    .limit(limit);
}
