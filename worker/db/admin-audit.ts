import { and, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import type { AdminAction, AdminLogQuery, AdminViewer } from "#domain/wire.ts";
import type { Database } from "./client.ts";
import { cappedCount, readPage, type CountedPage } from "./paging.ts";
import { adminAuditLogs } from "./schema.ts";

export interface AuditEntry {
  /** A fixed id, with which an action that may be repeated is logged once. By default, each entry gets a new id. */
  id?: string;
  admin: AdminViewer;
  action: AdminAction;
  /** The id of the row that the action was about, or "". */
  target: string;
  details: string;
  /** Epoch milliseconds. */
  at: number;
}

const PREVIOUS_STATEMENT_CHANGED_A_ROW = sql`changes() > 0`;

/**
 * The statement that logs an action, for the action's batch. By default, logs the action only if the batch's previous
 * statement changed a row.
 */
export function auditEntryInsert(
  db: Database,
  { id = crypto.randomUUID(), admin, action, target, details, at }: AuditEntry,
  condition: SQL = PREVIOUS_STATEMENT_CHANGED_A_ROW,
) {
  return db.insert(adminAuditLogs).select(
    sql`
      select ${id}, ${at}, ${admin.userId}, ${admin.username}, ${action}, ${target}, ${details}
      where ${condition}`,
  );
}

/** Logs an action that changes no row. */
export async function logAdminAction(db: Database, entry: AuditEntry): Promise<void> {
  await auditEntryInsert(db, entry, sql`true`);
}

export type AuditEntryRow = typeof adminAuditLogs.$inferSelect;

export async function listAuditEntries(
  db: Database,
  { action, target, ...place }: AdminLogQuery,
): Promise<CountedPage<AuditEntryRow>> {
  const selected = and(
    action === undefined ? undefined : eq(adminAuditLogs.action, action),
    target === undefined ? undefined : eq(adminAuditLogs.target, target),
  );
  const page = readPage(adminAuditLogs, selected, { by: sql<number>`${adminAuditLogs.at}`, descending: true }, place);
  const [found, [counted]] = await db.batch([
    db.select({ ...getTableColumns(adminAuditLogs), ...page.edge }).from(page.source),
    cappedCount(db, adminAuditLogs, selected),
  ]);
  return { ...page.cut(found), total: counted?.total ?? 0 };
}
