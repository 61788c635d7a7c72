import { and, asc, desc, eq, lte, sql } from "drizzle-orm";
import type { ContactQuery, ContactRequest } from "#domain/wire.ts";
import { auditEntryInsert, type AuditEntry } from "./admin-audit.ts";
import type { Database } from "./client.ts";
import { beginsWith, countUpTo, windowOf } from "./paging.ts";
import { contactSubmissions } from "./schema.ts";

/** Who sent a message, as far as the request says. */
export interface Sender {
  address: string;
  userAgent: string | null;
}

/** Keeps a message, unread. */
export async function insertContactSubmission(
  db: Database,
  message: ContactRequest,
  { address, userAgent }: Sender,
  now: number,
): Promise<void> {
  await db.insert(contactSubmissions).values({ ...message, ipAddress: address, userAgent, createdAt: new Date(now) });
}

export type ContactRow = typeof contactSubmissions.$inferSelect;

/** A literal, not a parameter: SQLite uses a partial index only where it can see that the condition holds. */
const isUnread = sql`${contactSubmissions.isRead} = 0`;
const rowid = sql`${contactSubmissions}.rowid`;
const byEmail = sql`${contactSubmissions.email} collate nocase`;

/** A page of messages, newest first; a search is a range of the index on addresses. */
export async function listContact(
  db: Database,
  { page = 1, q = "", sort = "newest" }: ContactQuery,
): Promise<{ rows: ContactRow[]; total: number; unread: number }> {
  const matching = q === "" ? undefined : beginsWith(byEmail, q);
  const { createdAt } = contactSubmissions;
  const order =
    q !== "" ? [byEmail, rowid] : sort === "newest" ? [desc(createdAt), desc(rowid)] : [asc(createdAt), rowid];
  const { limit, offset } = windowOf(page);
  const [rows, [counted], [unread]] = await db.batch([
    db
      .select()
      .from(contactSubmissions)
      .where(matching)
      .orderBy(...order)
      .limit(limit)
      .offset(offset),
    countUpTo(db, contactSubmissions, matching),
    countUpTo(db, contactSubmissions, isUnread),
  ]);
  return { rows, total: counted?.total ?? 0, unread: unread?.total ?? 0 };
}

/** Marks a message read. @returns whether there is one; one that was read before stays so and is not logged again */
export async function markContactRead(db: Database, id: string, entry: AuditEntry): Promise<boolean> {
  const [, , found] = await db.batch([
    db
      .update(contactSubmissions)
      .set({ isRead: true })
      .where(and(eq(contactSubmissions.id, id), isUnread)),
    auditEntryInsert(db, entry),
    db.select({ id: contactSubmissions.id }).from(contactSubmissions).where(eq(contactSubmissions.id, id)),
  ]);
  return found.length > 0;
}

/** @returns whether there was one */
export async function deleteContact(db: Database, id: string, entry: AuditEntry): Promise<boolean> {
  const [deleted] = await db.batch([
    db.delete(contactSubmissions).where(eq(contactSubmissions.id, id)),
    auditEntryInsert(db, entry),
  ]);
  return deleted.meta.changes === 1;
}

/** Drops messages older than `before`, oldest first. @returns how many */
export async function deleteOldContactMessages(db: Database, before: number, limit: number): Promise<number> {
  const old = db
    .select({ id: contactSubmissions.id })
    .from(contactSubmissions)
    .where(lte(contactSubmissions.createdAt, new Date(before)))
    .orderBy(contactSubmissions.createdAt)
    .limit(limit);
  const { meta } = await db.delete(contactSubmissions).where(sql`${contactSubmissions.id} in ${old}`);
  return meta.changes;
}
