import { and, lte, sql, type SQL } from "drizzle-orm";
import type { Database } from "./client.ts";
import { files, uploadAuditLogs } from "./schema.ts";

type AuditStatus = typeof uploadAuditLogs.$inferInsert.status;

/** Who made the call, for the log. */
export interface AuditCaller {
  address: string;
  userAgent: string | null;
}

/** One moment in an upload's life. `code` is STARTED, COMPLETED, CANCELLED, ABANDONED or an error's code. */
export interface UploadEvent {
  fileId: string;
  status: AuditStatus;
  code: string;
  message?: string;
  /** Known at the start; later events take them from there. */
  caller?: AuditCaller;
  at: number;
}

/**
 * The statement that logs an event of an upload whose row meets a condition: for the batch that makes it so. An event
 * has one id, so logging it twice is logging it once.
 */
export function logUploadEvent(db: Database, event: UploadEvent, condition: SQL) {
  const ended = event.code === "STARTED" ? "started" : "ended";
  const fromStart = (column: SQL) =>
    sql`(select ${column} from ${uploadAuditLogs} where ${uploadAuditLogs.id} = ${`${event.fileId}:started`})`;
  return db
    .insert(uploadAuditLogs)
    .select(
      sql`
        select ${`${event.fileId}:${ended}`}, ${files.userId}, ${files.originalFilename}, ${files.size}, ${files.mimeType},
          ${event.caller ? sql`${event.caller.address}` : fromStart(sql`ip_address`)},
          ${event.caller ? sql`${event.caller.userAgent}` : fromStart(sql`user_agent`)},
          ${event.status}, ${event.message ?? null}, ${event.code}, ${event.at}
        from ${files} where ${files.id} = ${event.fileId} and ${condition}`,
    )
    .onConflictDoNothing();
}

/** What was asked for by an upload that never began. */
export interface RejectedUpload {
  userId: string | null;
  filename: string;
  sizeBytes: number;
  mimeType: string;
  code: string;
  message: string;
  caller: AuditCaller;
  at: number;
}

export async function logRejectedUpload(db: Database, rejected: RejectedUpload): Promise<void> {
  await db.insert(uploadAuditLogs).values({
    userId: rejected.userId,
    originalFilename: rejected.filename,
    fileSize: rejected.sizeBytes,
    mimeType: rejected.mimeType,
    ipAddress: rejected.caller.address,
    userAgent: rejected.caller.userAgent,
    status: "rejected",
    errorCode: rejected.code,
    errorMessage: rejected.message,
    timestamp: new Date(rejected.at),
  });
}

/** Rows older than `before` that still hold a whole address. A shortened one has a slash. */
export async function listWholeAddresses(
  db: Database,
  before: number,
  limit: number,
): Promise<{ id: string; address: string }[]> {
  const rows = await db
    .select({ id: uploadAuditLogs.id, address: uploadAuditLogs.ipAddress })
    .from(uploadAuditLogs)
    .where(and(lte(uploadAuditLogs.timestamp, new Date(before)), sql`instr(${uploadAuditLogs.ipAddress}, '/') = 0`))
    .orderBy(uploadAuditLogs.timestamp)
    .limit(limit);
  return rows.flatMap(({ id, address }) => (address === null ? [] : [{ id, address }]));
}

/** Replaces addresses by shortened ones, all in one statement. */
export async function shortenAddresses(db: Database, shortened: { id: string; address: string }[]): Promise<void> {
  if (shortened.length === 0) return;
  const list = JSON.stringify(shortened);
  await db
    .update(uploadAuditLogs)
    .set({
      ipAddress: sql`(select json_extract(value, '$.address') from json_each(${list}) where json_extract(value, '$.id') = ${uploadAuditLogs.id})`,
    })
    .where(sql`${uploadAuditLogs.id} in (select json_extract(value, '$.id') from json_each(${list}))`);
}

/** Drops rows older than `before`, oldest first. @returns how many */
export async function dropOldAuditRows(db: Database, before: number, limit: number): Promise<number> {
  const old = db
    .select({ id: uploadAuditLogs.id })
    .from(uploadAuditLogs)
    .where(lte(uploadAuditLogs.timestamp, new Date(before)))
    .orderBy(uploadAuditLogs.timestamp)
    .limit(limit);
  const { meta } = await db.delete(uploadAuditLogs).where(sql`${uploadAuditLogs.id} in ${old}`);
  return meta.changes;
}
