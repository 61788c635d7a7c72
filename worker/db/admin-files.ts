import { and, eq, getTableColumns, gt, inArray, isNotNull, isNull, lte, or, sql, type SQL } from "drizzle-orm";
import type { ExpiredFilesQuery } from "#domain/wire.ts";
import type { StoredFile } from "../storage/keys.ts";
import { auditEntryInsert, type AuditEntry } from "./admin-audit.ts";
import type { Database } from "./client.ts";
import { STORED_COLUMNS, type FileRow } from "./files.ts";
import { startsWith, cappedCount, readPage, type CountedPage } from "./paging.ts";
import { files } from "./schema.ts";

const isReady = sql`${files.status} = 'ready'`;
const byName = sql<string>`${files.filename} collate nocase`;

/** One page of expired files. A search matches the start of the name, so that the index on names answers the search. */
export async function listExpired(
  db: Database,
  { q = "", sort = "newest", ...place }: ExpiredFilesQuery,
  now: number,
): Promise<CountedPage<FileRow>> {
  const expired = and(
    isReady,
    isNotNull(files.expiresAt),
    q === "" ? lte(files.expiresAt, new Date(now)) : sql`${unindexedExpiresAt} <= ${now}`,
  );
  const selected = q === "" ? expired : and(expired, startsWith(byName, q));
  const byExpiry = sql<number>`${files.expiresAt}`;
  const order = q === "" ? { by: byExpiry, descending: sort === "newest" } : { by: byName, descending: false };
  const page = readPage(files, selected, order, place);
  const [found, [counted]] = await db.batch([
    db.select({ ...getTableColumns(files), ...page.edge }).from(page.source),
    cappedCount(db, files, selected),
  ]);
  return { ...page.cut(found), total: counted?.total ?? 0 };
}

/** The unary plus keeps SQLite from using the index on `expires_at`, so that a search uses the index on names. */
const unindexedExpiresAt = sql`+${files.expiresAt}`;

/** Files whose links work: ready ones, and those that are still uploading. */
const isServed = inArray(files.status, ["ready", "uploading"]);

/** A file or transfer by id or download id, even if expired or deleted. */
export async function findAnyFile(db: Database, idOrDownloadId: string): Promise<FileRow | null> {
  const [row] = await db
    .select()
    .from(files)
    .where(and(isServed, or(eq(files.id, idOrDownloadId), eq(files.downloadId, idOrDownloadId))))
    .limit(1);
  return row ?? null;
}

/** Columns that end the link at once. The sweep deletes the object later. */
function endedColumns(now: number) {
  return { adminDeleted: true, expiresAt: sql`min(coalesce(${files.expiresAt}, ${now}), ${now})` };
}

/** A file whose link has ended. While `status` is `uploading`, the upload's session deletes the bytes. */
export interface EndedFile extends StoredFile {
  status: FileRow["status"];
}

const ENDED_COLUMNS = { ...STORED_COLUMNS, status: files.status };

/**
 * Deletes a file as an administrator, also one whose bytes are kept for the authorities.
 * @returns null when there is no such file
 */
export async function deleteAnyFile(db: Database, id: string, entry: AuditEntry): Promise<EndedFile | null> {
  const [deleted] = await db.batch([
    db
      .update(files)
      .set({ ...endedColumns(entry.at), deletedAt: new Date(entry.at), keptAt: null })
      .where(and(eq(files.id, id), isServed, or(isNull(files.deletedAt), isNotNull(files.keptAt))))
      .returning(ENDED_COLUMNS),
    auditEntryInsert(db, entry),
  ]);
  return deleted[0] ?? null;
}

export interface TakenDownFile extends EndedFile {
  downloadId: string;
  filename: string;
  seal: string | null;
  userId: string | null;
  size: number;
  sha256: string | null;
  sha256Source: FileRow["sha256Source"];
}

const TAKEN_DOWN_COLUMNS = {
  ...ENDED_COLUMNS,
  downloadId: files.downloadId,
  filename: files.filename,
  seal: files.seal,
  userId: files.userId,
  size: files.size,
  sha256: files.sha256,
  sha256Source: files.sha256Source,
};

export function takeDownUpdate(db: Database, id: string, reason: string, now: number, condition: SQL = sql`true`) {
  const isDownloadable = or(isNull(files.expiresAt), gt(files.expiresAt, new Date(now)));
  return db
    .update(files)
    .set({ ...endedColumns(now), takedownReason: reason })
    .where(and(eq(files.id, id), isServed, isNull(files.deletedAt), isDownloadable, condition))
    .returning(TAKEN_DOWN_COLUMNS);
}

/** @returns null when the file does not exist or can no longer be downloaded */
export async function takeDownFile(
  db: Database,
  id: string,
  reason: string,
  entry: AuditEntry,
): Promise<TakenDownFile | null> {
  const [[file]] = await db.batch([takeDownUpdate(db, id, reason, entry.at), auditEntryInsert(db, entry)]);
  return file ?? null;
}
