import { and, desc, eq, lte, sql, type SQL } from "drizzle-orm";
import type { AdminAction, AdminLogQuery, AdminViewer } from "#domain/wire.ts";
import type { Database } from "./client.ts";
import { countUpTo, windowOf } from "./paging.ts";
import { adminAuditLogs } from "./schema.ts";

/** What an administrator does: who, what, when, on what. */
export interface AuditEntry {
  admin: AdminViewer;
  action: AdminAction;
  /** An id; "" for none. */
  target: string;
  /** What exactly, in words. */
  details: string;
  /** Epoch milliseconds. */
  at: number;
}

/** Holds in a batch right after a statement that has changed something. */
export const HAS_CHANGED = sql`changes() > 0`;

/** The statement that logs a deed, for the batch that does it: right after its statement, or with a condition. */
export function auditEntryInsert(
  db: Database,
  { admin, action, target, details, at }: AuditEntry,
  condition: SQL = HAS_CHANGED,
) {
  return db.insert(adminAuditLogs).select(
    sql`
      select ${crypto.randomUUID()}, ${at}, ${admin.userId}, ${admin.username}, ${action}, ${target}, ${details}
      where ${condition}`,
  );
}

/** Keeps a deed that changes no row of ours. */
export async function logAdminAction(db: Database, entry: AuditEntry): Promise<void> {
  await auditEntryInsert(db, entry, sql`true`);
}

export type AuditEntryRow = typeof adminAuditLogs.$inferSelect;

/** A page of what administrators did, newest first. */
export async function listAuditEntries(
  db: Database,
  { page = 1, action, target }: AdminLogQuery,
): Promise<{ rows: AuditEntryRow[]; total: number }> {
  const { limit, offset } = windowOf(page);
  const selected = and(
    action === undefined ? undefined : eq(adminAuditLogs.action, action),
    target === undefined ? undefined : eq(adminAuditLogs.target, target),
  );
  const [rows, [counted]] = await db.batch([
    db
      .select()
      .from(adminAuditLogs)
      .where(selected)
      .orderBy(desc(adminAuditLogs.at), desc(sql`${adminAuditLogs}.rowid`))
      .limit(limit)
      .offset(offset),
    countUpTo(db, adminAuditLogs, selected),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

/** Drops rows older than `before`, oldest first. @returns how many */
export async function deleteOldAuditEntries(db: Database, before: number, limit: number): Promise<number> {
  const old = db
    .select({ id: adminAuditLogs.id })
    .from(adminAuditLogs)
    .where(lte(adminAuditLogs.at, new Date(before)))
    .orderBy(adminAuditLogs.at)
    .limit(limit);
  const { meta } = await db.delete(adminAuditLogs).where(sql`${adminAuditLogs.id} in ${old}`);
  return meta.changes;
}
