import { and, desc, eq, gte, lt, sql, type SQL } from "drizzle-orm";
import type { UploadLogQuery, UploadSummary } from "#domain/wire.ts";
import type { Database } from "./client.ts";
import { cappedCount, limitAndOffset } from "./paging.ts";
import { files, uploadAuditLogs } from "./schema.ts";

type AuditStatus = typeof uploadAuditLogs.$inferInsert.status;

export interface AuditCaller {
  ip: string;
  userAgent: string | null;
}

export interface UploadEvent {
  fileId: string;
  status: AuditStatus;
  /** STARTED, COMPLETED, CANCELLED, ABANDONED or an error code. */
  code: string;
  message?: string;
  /** Given for STARTED; later events of the upload copy the caller from STARTED. */
  caller?: AuditCaller;
  at: number;
}

export function startedId(fileId: string): string {
  return `${fileId}:started`;
}

function endedId(fileId: string): string {
  return `${fileId}:ended`;
}

/** Adds a summary to the log row of an upload's end or, until then, of its start. A later summary replaces it. */
export async function addUploadSummary(db: Database, fileId: string, summary: UploadSummary): Promise<void> {
  const last = sql`(select ${uploadAuditLogs.id} from ${uploadAuditLogs}
    where ${uploadAuditLogs.id} in (${startedId(fileId)}, ${endedId(fileId)}) order by ${uploadAuditLogs.id} limit 1)`;
  await db
    .update(uploadAuditLogs)
    .set({ summary })
    .where(sql`${uploadAuditLogs.id} = ${last}`);
}

/** For the batch of the event that is logged. Each event has a fixed id, so a repeated statement adds no second row. */
export function logUploadEvent(db: Database, event: UploadEvent, condition: SQL) {
  const id = event.code === "STARTED" ? startedId(event.fileId) : endedId(event.fileId);
  const fromStart = (column: SQL) =>
    sql`(select ${column} from ${uploadAuditLogs} where ${uploadAuditLogs.id} = ${startedId(event.fileId)})`;
  return db
    .insert(uploadAuditLogs)
    .select(
      sql`
        select ${id}, ${files.userId}, ${files.originalFilename}, ${files.size}, ${files.mimeType},
          ${event.caller ? sql`${event.caller.ip}` : fromStart(sql`ip_address`)},
          ${event.caller ? sql`${event.caller.userAgent}` : fromStart(sql`user_agent`)},
          ${event.status}, ${event.message ?? null}, ${event.code}, ${event.at}, ${files.entryCount},
          ${files.apiKeyId}, null
        from ${files} where ${files.id} = ${event.fileId} and ${condition}`,
    )
    .onConflictDoNothing();
}

export interface RejectedUpload {
  userId: string | null;
  apiKeyId: string | null;
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
    apiKeyId: rejected.apiKeyId,
    originalFilename: rejected.filename,
    fileSize: rejected.sizeBytes,
    mimeType: rejected.mimeType,
    ipAddress: rejected.caller.ip,
    userAgent: rejected.caller.userAgent,
    status: "rejected",
    errorCode: rejected.code,
    errorMessage: rejected.message,
    timestamp: new Date(rejected.at),
  });
}

export type UploadLogRow = typeof uploadAuditLogs.$inferSelect;

/** One page of the log, newest first. @param since inclusive @param until exclusive, both epoch milliseconds */
export async function listUploadEvents(
  db: Database,
  { page = 1, userId, status }: UploadLogQuery,
  since: number | null,
  until: number | null,
): Promise<{ rows: UploadLogRow[]; total: number }> {
  const selected = and(
    userId === undefined ? undefined : eq(uploadAuditLogs.userId, userId),
    // An account has few rows. The unary plus keeps SQLite on the index by account.
    status === undefined
      ? undefined
      : sql`${userId === undefined ? uploadAuditLogs.status : sql`+${uploadAuditLogs.status}`} = ${status}`,
    since === null ? undefined : gte(uploadAuditLogs.timestamp, new Date(since)),
    until === null ? undefined : lt(uploadAuditLogs.timestamp, new Date(until)),
  );
  const { limit, offset } = limitAndOffset(page);
  const [rows, [counted]] = await db.batch([
    db
      .select()
      .from(uploadAuditLogs)
      .where(selected)
      .orderBy(desc(uploadAuditLogs.timestamp), desc(sql`${uploadAuditLogs}.rowid`))
      .limit(limit)
      .offset(offset),
    cappedCount(db, uploadAuditLogs, selected),
  ]);
  return { rows, total: counted?.total ?? 0 };
}
