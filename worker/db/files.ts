import { and, desc, eq, isNull, lte, sql } from "drizzle-orm";
import type { Lifetime } from "#domain/expiry.ts";
import type { PlanLimits } from "#domain/plans.ts";
import type { Database } from "./client.ts";
import { files } from "./schema.ts";

export type FileRow = typeof files.$inferSelect;

/** Literals, not parameters: SQLite uses a partial index only where it can see that the condition holds. */
const isReady = sql`${files.status} = 'ready'`;
const isUploading = sql`${files.status} = 'uploading'`;

/** What is known of a file before its first byte. */
export interface NewFile {
  id: string;
  userId: string;
  filename: string;
  mimeType: string;
  s3Key: string;
  downloadId: string;
  lifetime: Lifetime;
  createdAt: number;
  abandonAt: number;
}

/**
 * Adds the file and takes its size and one transfer from its owner's month, or does neither.
 * The row is inserted only when both fit, and the totals move only when the row is there, in one transaction:
 * parallel starts cannot overshoot.
 * @returns whether it fitted
 */
export async function reserveFile(db: Database, file: NewFile, limits: PlanLimits): Promise<boolean> {
  const { sizeBytes, expiration, expirationChosen } = file.lifetime;
  const [inserted] = await db.batch([
    db.run(sql`
      insert into files (id, user_id, filename, original_filename, size, mime_type, s3_key, download_id, status,
        expiration, expiration_chosen, created_at, abandon_at, reserved_period_start)
      select ${file.id}, id, ${file.filename}, ${file.filename}, ${sizeBytes}, ${file.mimeType}, ${file.s3Key},
        ${file.downloadId}, 'uploading', ${expiration}, ${expirationChosen ? 1 : 0}, ${file.createdAt},
        ${file.abandonAt}, current_period_start
      from users
      where id = ${file.userId}
        and monthly_upload_total + ${sizeBytes} <= ${limits.monthBytes}
        and monthly_transfer_count + 1 <= ${limits.monthTransfers}`),
    db.run(sql`
      update users
      set monthly_upload_total = monthly_upload_total + ${sizeBytes}, monthly_transfer_count = monthly_transfer_count + 1
      where id = ${file.userId} and exists (select 1 from files where id = ${file.id})`),
  ]);
  return inserted.meta.changes === 1;
}

/**
 * Ends an unfinished upload and gives its reservation back: once, and only to the billing month it was taken from.
 * @returns whether this call ended it; false when it had already ended
 */
export async function releaseFile(db: Database, id: string, status: "failed" | "cancelled"): Promise<boolean> {
  const [, ended] = await db.batch([
    db.run(sql`
      update users
      set monthly_upload_total = max(0, monthly_upload_total - files.size),
        monthly_transfer_count = max(0, monthly_transfer_count - 1)
      from files
      where files.id = ${id} and files.status = 'uploading'
        and users.id = files.user_id and users.current_period_start = files.reserved_period_start`),
    db
      .update(files)
      .set({ status })
      .where(and(eq(files.id, id), isUploading)),
  ]);
  return ended.meta.changes === 1;
}

export interface FinishedObject {
  etag: string;
  sha256: string | null;
  uploadedAt: number;
  expiresAt: number | null;
}

/**
 * Turns an unfinished upload into a file that can be downloaded. A second call changes nothing and answers the same.
 * @returns the file's expiry as it stands, or null when the upload was ended or removed meanwhile
 */
export async function markFileReady(
  db: Database,
  id: string,
  object: FinishedObject,
): Promise<{ expiresAt: number | null } | null> {
  const [, rows] = await db.batch([
    db
      .update(files)
      .set({
        status: "ready",
        etag: object.etag,
        sha256: object.sha256,
        uploadedAt: new Date(object.uploadedAt),
        expiresAt: object.expiresAt === null ? null : new Date(object.expiresAt),
      })
      .where(and(eq(files.id, id), isUploading)),
    db.select({ status: files.status, expiresAt: files.expiresAt }).from(files).where(eq(files.id, id)),
  ]);
  const row = rows[0];
  return row?.status === "ready" ? { expiresAt: row.expiresAt?.getTime() ?? null } : null;
}

/** The file behind a link, whatever its state. */
export async function findFileByDownloadId(db: Database, downloadId: string): Promise<FileRow | null> {
  const [row] = await db.select().from(files).where(eq(files.downloadId, downloadId)).limit(1);
  return row ?? null;
}

/** How many files one answer lists (decisions, An unfinished upload's link). */
export const FILES_PER_PAGE = 100;

/** An owner's finished files, newest first. */
export async function listFilesOf(db: Database, userId: string): Promise<FileRow[]> {
  return db
    .select()
    .from(files)
    .where(and(eq(files.userId, userId), isReady, isNull(files.deletedAt)))
    .orderBy(desc(files.uploadedAt))
    .limit(FILES_PER_PAGE);
}

/**
 * Ends a file's life now: from here on every read is refused, and the sweep removes its bytes.
 * @returns the object's key, or null when that owner has no such file
 */
export async function revokeFile(db: Database, id: string, userId: string, now: number): Promise<string | null> {
  const at = new Date(now);
  const [row] = await db
    .update(files)
    .set({ deletedAt: at, expiresAt: sql`min(coalesce(${files.expiresAt}, ${now}), ${now})` })
    .where(and(eq(files.id, id), eq(files.userId, userId), isReady, isNull(files.deletedAt)))
    .returning({ s3Key: files.s3Key });
  return row?.s3Key ?? null;
}

/** Files past their time whose bytes are still stored, longest overdue first. */
export async function listExpiredFiles(
  db: Database,
  now: number,
  limit: number,
): Promise<{ id: string; s3Key: string }[]> {
  return db
    .select({ id: files.id, s3Key: files.s3Key })
    .from(files)
    .where(and(lte(files.expiresAt, new Date(now)), isNull(files.s3DeletedAt)))
    .orderBy(files.expiresAt)
    .limit(limit);
}

/** Notes that the store has confirmed the deletion of those files' objects. */
export async function markObjectsDeleted(db: Database, ids: string[], now: number): Promise<void> {
  await db
    .update(files)
    .set({ isExpired: true, s3DeletedAt: new Date(now) })
    .where(and(sql`${files.id} in (select value from json_each(${JSON.stringify(ids)}))`, isNull(files.s3DeletedAt)));
}

/** Unfinished uploads that may have been abandoned. */
export async function listPossiblyAbandoned(db: Database, now: number, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: files.id })
    .from(files)
    .where(and(isUploading, lte(files.abandonAt, new Date(now))))
    .orderBy(files.abandonAt)
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Puts off the next look at an upload that is still alive. */
export async function postponeAbandonment(db: Database, id: string, until: number): Promise<void> {
  await db
    .update(files)
    .set({ abandonAt: new Date(until) })
    .where(and(eq(files.id, id), isUploading));
}

/** Counts one finished download. */
export async function countDownload(db: Database, id: string): Promise<void> {
  await db
    .update(files)
    .set({ downloadCount: sql`${files.downloadCount} + 1` })
    .where(eq(files.id, id));
}
