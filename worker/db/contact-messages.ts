import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { ContactMessagesQuery, ContactRequest } from "#domain/wire.ts";
import { auditEntryInsert, type AuditEntry } from "./admin-audit.ts";
import type { Database } from "./client.ts";
import { startsWith, cappedCount, readPage, type CountedPage } from "./paging.ts";
import { contactSubmissions } from "./schema.ts";

export interface MessageSender {
  ip: string;
  userAgent: string | null;
}

export async function insertContactMessage(
  db: Database,
  message: ContactRequest,
  { ip, userAgent }: MessageSender,
  now: number,
): Promise<void> {
  await db.insert(contactSubmissions).values({ ...message, ipAddress: ip, userAgent, createdAt: new Date(now) });
}

export type ContactMessageRow = typeof contactSubmissions.$inferSelect;

/** The condition has a literal, not a parameter: with a parameter, SQLite does not use the partial index. */
const isUnread = sql`${contactSubmissions.isRead} = 0`;
const byEmail = sql<string>`${contactSubmissions.email} collate nocase`;

/** One page of messages. A search matches the start of the sender's address, so that an index answers it. */
export async function listContactMessages(
  db: Database,
  { q = "", sort = "newest", ...place }: ContactMessagesQuery,
): Promise<CountedPage<ContactMessageRow> & { unread: number }> {
  const matching = q === "" ? undefined : startsWith(byEmail, q);
  const byTime = sql<number>`${contactSubmissions.createdAt}`;
  const order = q === "" ? { by: byTime, descending: sort === "newest" } : { by: byEmail, descending: false };
  const page = readPage(contactSubmissions, matching, order, place);
  const [found, [counted], [unread]] = await db.batch([
    db.select({ ...getTableColumns(contactSubmissions), ...page.edge }).from(page.source),
    cappedCount(db, contactSubmissions, matching),
    cappedCount(db, contactSubmissions, isUnread),
  ]);
  return { ...page.cut(found), total: counted?.total ?? 0, unread: unread?.total ?? 0 };
}

/** Marks a message as read, and logs the action the first time. @returns whether the message exists */
export async function markContactMessageRead(db: Database, id: string, entry: AuditEntry): Promise<boolean> {
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

export async function deleteContactMessage(db: Database, id: string, entry: AuditEntry): Promise<boolean> {
  const [deleted] = await db.batch([
    db.delete(contactSubmissions).where(eq(contactSubmissions.id, id)),
    auditEntryInsert(db, entry),
  ]);
  return deleted.meta.changes === 1;
}
