import { and, desc, eq, exists, getTableColumns, isNull, lte, sql, type SQL } from "drizzle-orm";
import type { Lifetime } from "#domain/expiry.ts";
import type { PlanLimits } from "#domain/plans.ts";
import type { Database } from "./client.ts";
import { files, users } from "./schema.ts";

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
  const { sizeBytes } = file.lifetime;
  const [inserted] = await db.batch([
    db.insert(files).select(sql`
      select ${rowOf(file)} from ${users}
      where ${users.id} = ${file.userId}
        and ${users.monthlyUploadTotal} + ${sizeBytes} <= ${limits.monthBytes}
        and ${users.monthlyTransferCount} + 1 <= ${limits.monthTransfers}`),
    db
      .update(users)
      .set({
        monthlyUploadTotal: sql`${users.monthlyUploadTotal} + ${sizeBytes}`,
        monthlyTransferCount: sql`${users.monthlyTransferCount} + 1`,
      })
      .where(
        and(eq(users.id, file.userId), exists(db.select({ id: files.id }).from(files).where(eq(files.id, file.id)))),
      ),
  ]);
  return inserted.meta.changes === 1;
}

/** Every column of a new file's row, in the table's order, as `insert … select` wants them. */
function rowOf(file: NewFile): SQL {
  const row: typeof files.$inferInsert = {
    id: file.id,
    userId: file.userId,
    filename: file.filename,
    originalFilename: file.filename,
    size: file.lifetime.sizeBytes,
    mimeType: file.mimeType,
    s3Key: file.s3Key,
    downloadId: file.downloadId,
    status: "uploading",
    expiration: file.lifetime.expiration,
    expirationChosen: file.lifetime.expirationChosen,
    createdAt: new Date(file.createdAt),
    downloadCount: 0,
    isExpired: false,
    adminDeleted: false,
    reservedPeriodStart: new Date(file.createdAt),
    abandonAt: new Date(file.abandonAt),
  };
  const values = new Map<string, unknown>(Object.entries(row));
  const columns = Object.entries(getTableColumns(files)).map(([name, column]) =>
    name === "reservedPeriodStart"
      ? sql`${users.currentPeriodStart}`
      : sql`${sql.param(values.get(name) ?? null, column)}`,
  );
  return sql.join(columns, sql`, `);
}

/**
 * Ends an unfinished upload and gives its reservation back: once, and only to the billing month it was taken from.
 * @returns whether this call ended it; false when it had already ended
 */
export async function releaseFile(db: Database, id: string, status: "failed" | "cancelled"): Promise<boolean> {
  const [, ended] = await db.batch([
    db
      .update(users)
      .set({
        monthlyUploadTotal: sql`max(0, ${users.monthlyUploadTotal} - ${files.size})`,
        monthlyTransferCount: sql`max(0, ${users.monthlyTransferCount} - 1)`,
      })
      .from(files)
      .where(
        and(
          eq(files.id, id),
          isUploading,
          eq(users.id, files.userId),
          eq(users.currentPeriodStart, files.reservedPeriodStart),
        ),
      ),
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

/** A person's unfinished uploads. */
export async function listUnfinishedOf(db: Database, userId: string): Promise<string[]> {
  const rows = await db
    .select({ id: files.id })
    .from(files)
    .where(and(eq(files.userId, userId), isUploading));
  return rows.map((row) => row.id);
}

/** A person's finished files whose objects are still stored. */
export async function listObjectsOf(
  db: Database,
  userId: string,
  limit: number,
): Promise<{ id: string; s3Key: string }[]> {
  return db
    .select({ id: files.id, s3Key: files.s3Key })
    .from(files)
    .where(and(eq(files.userId, userId), isReady, isNull(files.s3DeletedAt)))
    .limit(limit);
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
