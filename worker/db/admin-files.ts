import { and, asc, desc, eq, gt, isNotNull, isNull, lte, or, sql, type SQL } from "drizzle-orm";
import type { ExpiredFilesQuery } from "#domain/wire.ts";
import { auditEntryInsert, type AuditEntry } from "./admin-audit.ts";
import type { Database } from "./client.ts";
import type { FileRow } from "./files.ts";
import { beginsWith, countUpTo, windowOf } from "./paging.ts";
import { files } from "./schema.ts";

const isReady = sql`${files.status} = 'ready'`;
const rowid = sql`${files}.rowid`;
const byName = sql`${files.filename} collate nocase`;

/** A page of what has expired, last first; a search is a range of the index on names. */
export async function listExpired(
  db: Database,
  { page = 1, q = "", sort = "newest" }: ExpiredFilesQuery,
  now: number,
): Promise<{ rows: FileRow[]; total: number }> {
  const expired = and(
    isReady,
    isNotNull(files.expiresAt),
    q === "" ? lte(files.expiresAt, new Date(now)) : sql`${unindexed} <= ${now}`,
  );
  const selected = q === "" ? expired : and(expired, beginsWith(byName, q));
  const order =
    q !== ""
      ? [byName, rowid]
      : sort === "newest"
        ? [desc(files.expiresAt), desc(rowid)]
        : [asc(files.expiresAt), rowid];
  const { limit, offset } = windowOf(page);
  const [rows, [counted]] = await db.batch([
    db
      .select()
      .from(files)
      .where(selected)
      .orderBy(...order)
      .limit(limit)
      .offset(offset),
    countUpTo(db, files, selected),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

/** The same column, which SQLite does not look for an index for: a search has to go by name. */
const unindexed = sql`+${files.expiresAt}`;

/** The finished file of that id or download id, whatever has become of it; or null. */
export async function findAnyFile(db: Database, wanted: string): Promise<FileRow | null> {
  const [row] = await db
    .select()
    .from(files)
    .where(and(isReady, or(eq(files.id, wanted), eq(files.downloadId, wanted))))
    .limit(1);
  return row ?? null;
}

/** How a file ends now: every read is refused, and the sweep removes its bytes. */
function ended(now: number) {
  return { adminDeleted: true, expiresAt: sql`min(coalesce(${files.expiresAt}, ${now}), ${now})` };
}

/** Deletes a finished file for an administrator. @returns the object's key, or null when there is no such file */
export async function deleteAnyFile(db: Database, id: string, entry: AuditEntry): Promise<string | null> {
  const [deleted] = await db.batch([
    db
      .update(files)
      .set({ ...ended(entry.at), deletedAt: new Date(entry.at) })
      .where(and(eq(files.id, id), isReady, isNull(files.deletedAt)))
      .returning({ s3Key: files.s3Key }),
    auditEntryInsert(db, entry),
  ]);
  return deleted[0]?.s3Key ?? null;
}

export interface TakenDown {
  id: string;
  s3Key: string;
  filename: string;
  userId: string | null;
}

/** The statement that takes a living file down with a reason, where a condition holds. */
export function takeDownFile(db: Database, id: string, reason: string, now: number, condition: SQL = sql`true`) {
  const lives = or(isNull(files.expiresAt), gt(files.expiresAt, new Date(now)));
  return db
    .update(files)
    .set({ ...ended(now), takedownReason: reason })
    .where(and(eq(files.id, id), isReady, isNull(files.deletedAt), lives, condition))
    .returning({ id: files.id, s3Key: files.s3Key, filename: files.filename, userId: files.userId });
}

/** Takes a living file down with a reason. @returns null when there is no such file, or it lives no more */
export async function takeFileDown(
  db: Database,
  id: string,
  reason: string,
  entry: AuditEntry,
): Promise<TakenDown | null> {
  const [[taken]] = await db.batch([takeDownFile(db, id, reason, entry.at), auditEntryInsert(db, entry)]);
  return taken ?? null;
}

/** Removes rows of files whose bytes went before `before`, longest ago first. @returns how many */
export async function deleteOldFileRows(db: Database, before: number, limit: number): Promise<number> {
  const old = db
    .select({ id: files.id })
    .from(files)
    .where(and(isNotNull(files.s3DeletedAt), lte(files.s3DeletedAt, new Date(before))))
    .orderBy(files.s3DeletedAt)
    .limit(limit);
  const { meta } = await db.delete(files).where(sql`${files.id} in ${old}`);
  return meta.changes;
}

/** Removes rows of failed and cancelled uploads that began before `before`, longest ago first. @returns how many */
export async function deleteEndedUploadRows(db: Database, before: number, limit: number): Promise<number> {
  const old = db
    .select({ id: files.id })
    .from(files)
    // A literal, not parameters: SQLite uses a partial index only where it can see that the condition holds.
    .where(and(sql`${files.status} in ('failed', 'cancelled')`, lte(files.createdAt, new Date(before))))
    .orderBy(files.createdAt)
    .limit(limit);
  const { meta } = await db.delete(files).where(sql`${files.id} in ${old}`);
  return meta.changes;
}
