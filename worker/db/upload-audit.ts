import { and, eq, getTableColumns, gte, inArray, lt, not, sql, type SQL } from "drizzle-orm";
import type { UploadLogQuery, UploadSummary } from "#domain/wire.ts";
import type { Database } from "./client.ts";
import { cappedCount, readPage, type CountedPage } from "./paging.ts";
import { files, uploadAuditLogs } from "./schema.ts";

type AuditStatus = typeof uploadAuditLogs.$inferInsert.status;

export interface AuditCaller {
  ip: string;
  userAgent: string | null;
}

/**
 * The id of the row for an upload's start. Uploads from before decision 052 have a row for their start and another row
 * for their end.
 */
const startedRow = (fileId: string) => `${fileId}:started`;
const endedRow = (fileId: string) => `${fileId}:ended`;

/** A condition that finds the row of an upload whose end is not logged. */
function unendedRow(fileId: string): SQL | undefined {
  const { id, errorCode } = uploadAuditLogs;
  return and(inArray(id, [fileId, startedRow(fileId)]), eq(errorCode, "STARTED"));
}

/** Adds a summary to the row of an upload. A later summary replaces an earlier one. */
export async function addUploadSummary(db: Database, fileId: string, summary: UploadSummary): Promise<void> {
  const last = sql`(select ${uploadAuditLogs.id} from ${uploadAuditLogs}
    where ${uploadAuditLogs.id} in (${fileId}, ${startedRow(fileId)}, ${endedRow(fileId)})
    order by ${uploadAuditLogs.timestamp} desc, ${uploadAuditLogs.id} limit 1)`;
  await db
    .update(uploadAuditLogs)
    .set({ summary })
    .where(sql`${uploadAuditLogs.id} = ${last}`);
}

/**
 * The statement that logs the start of an upload, if the upload's row is in `files`. In the batch that starts the
 * upload, this statement follows the insert of that row.
 * @param at epoch milliseconds
 */
export function logUploadStart(db: Database, fileId: string, caller: AuditCaller, at: number) {
  return db
    .insert(uploadAuditLogs)
    .select(
      sql`
        select ${files.id}, ${files.userId}, ${files.originalFilename}, ${files.size}, ${files.mimeType},
          ${caller.ip}, ${caller.userAgent}, 'success', null, 'STARTED', ${at}, ${files.entryCount},
          ${files.apiKeyId}, null, ${at}
        from ${files} where ${files.id} = ${fileId}`,
    )
    .onConflictDoNothing();
}

export interface UploadEnd {
  fileId: string;
  status: Exclude<AuditStatus, "rejected">;
  /** COMPLETED, CANCELLED, ABANDONED or an error code. */
  code: string;
  /** Epoch milliseconds. */
  at: number;
}

/**
 * The statement that logs the end of an upload, for the batch that ends it. A repetition of the statement changes
 * nothing.
 * @param condition on the row of `files`
 */
export function logUploadEnd(db: Database, { fileId, status, code, at }: UploadEnd, condition: SQL) {
  const isEnded = sql`exists (select 1 from upload_audit_logs as ended where ended.id = ${endedRow(fileId)})`;
  return db
    .update(uploadAuditLogs)
    .set({
      status,
      errorCode: code,
      timestamp: new Date(at),
      startedAt: sql`coalesce(${uploadAuditLogs.startedAt}, ${uploadAuditLogs.timestamp})`,
      // Logs the size at the end, because an upload may have grown, and a transfer may end with fewer files.
      fileSize: sql`${files.size}`,
      entryCount: sql`${files.entryCount}`,
    })
    .from(files)
    .where(and(eq(files.id, fileId), condition, unendedRow(fileId), not(isEnded)));
}

/** @returns the code of an upload's end, as `UploadEnd` has it, or STARTED; null without an audit row */
export async function findEndCode(db: Database, fileId: string): Promise<string | null> {
  const [row] = await db
    .select({ code: uploadAuditLogs.errorCode })
    .from(uploadAuditLogs)
    .where(eq(uploadAuditLogs.id, fileId));
  return row?.code ?? null;
}

/**
 * The statement that deletes the audit row of an upload, for the batch that takes back an upload that has just started.
 */
export function forgetUploadStart(db: Database, fileId: string) {
  return db.delete(uploadAuditLogs).where(unendedRow(fileId));
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
  { userId, status, ...place }: UploadLogQuery,
  since: number | null,
  until: number | null,
): Promise<CountedPage<UploadLogRow>> {
  const selected = and(
    userId === undefined ? undefined : eq(uploadAuditLogs.userId, userId),
    // The unary plus makes SQLite use the index by account, because an account has few rows.
    status === undefined
      ? undefined
      : sql`${userId === undefined ? uploadAuditLogs.status : sql`+${uploadAuditLogs.status}`} = ${status}`,
    since === null ? undefined : gte(uploadAuditLogs.timestamp, new Date(since)),
    until === null ? undefined : lt(uploadAuditLogs.timestamp, new Date(until)),
  );
  const newestFirst = { by: sql<number>`${uploadAuditLogs.timestamp}`, descending: true };
  const page = readPage(uploadAuditLogs, selected, newestFirst, place);
  const [found, [counted]] = await db.batch([
    db.select({ ...getTableColumns(uploadAuditLogs), ...page.edge }).from(page.source),
    cappedCount(db, uploadAuditLogs, selected),
  ]);
  return { ...page.cut(found), total: counted?.total ?? 0 };
}
