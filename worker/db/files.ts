import { and, asc, count, desc, eq, gt, isNull, lte, or, sql, type SQL } from "drizzle-orm";
import type { Expiration } from "#domain/expiry.ts";
import { utcDay } from "#domain/units.ts";
import type { FileOrder } from "#domain/wire.ts";
import type { Database } from "./client.ts";
import { repeatable } from "./retries.ts";
import { findWholeRow } from "./raw.ts";
import { atPrimary } from "./replicas.ts";
import { files } from "./schema.ts";

export type FileRow = typeof files.$inferSelect;

/** A literal, not a parameter: SQLite uses a partial index only where it can see that the condition holds. */
const isReady = sql`${files.status} = 'ready'`;
export const isUploading = sql`${files.status} = 'uploading'`;

let byDownloadId: string | undefined;

/**
 * The file behind a link, whatever its state. What a replica does not know is asked for at the primary; what it knows may
 * be seconds old, so a link that has just ended may still be found.
 */
export async function findFileByDownloadId(db: Database, downloadId: string): Promise<FileRow | null> {
  const { row, fromPrimary } = await findByLink(db, downloadId);
  // A link is shared at once: a replica may not have heard of it, or not that its upload has ended.
  return row?.status === "ready" || fromPrimary ? row : findCurrentFile(db, downloadId);
}

/** The same as it stands at the primary now: whoever serves a file's bytes asks so. */
export async function findCurrentFile(db: Database, downloadId: string): Promise<FileRow | null> {
  return (await atPrimary(() => findByLink(db, downloadId))).row;
}

function findByLink(db: Database, downloadId: string) {
  byDownloadId ??= db.select().from(files).where(eq(files.downloadId, downloadId)).limit(1).toSQL().sql;
  return findWholeRow(db, files, byDownloadId, [downloadId, 1]);
}

/** The file or upload of that id, whatever its state. */
export async function findFileById(db: Database, id: string): Promise<FileRow | null> {
  const [row] = await db.select().from(files).where(eq(files.id, id)).limit(1);
  return row ?? null;
}

/** How many files one answer lists (decisions, An unfinished upload's link). */
export const FILES_PER_PAGE = 100;

/** Ends each order, so that files of one moment do not change pages; every index has it. */
const rowid = sql`${files}.rowid`;
const ORDERS: Record<FileOrder, SQL[]> = {
  newest: [desc(files.uploadedAt), desc(rowid)],
  oldest: [asc(files.uploadedAt), asc(rowid)],
  name: [sql`${files.filename} collate nocase`, rowid],
  largest: [desc(files.size), rowid],
  expiry: [sql`${files.expiresAt} is null`, asc(files.expiresAt), rowid],
};

export interface FileSelection {
  order: FileOrder;
  /** Found anywhere in the name, upper or lower case (of ASCII letters); "" for every file. */
  search: string;
  /** From 1. */
  page: number;
}

/** One page of an owner's finished files, and how many there are on all pages. */
export async function listFilesOf(
  db: Database,
  userId: string,
  { order, search, page }: FileSelection,
): Promise<{ rows: FileRow[]; total: number }> {
  const matches = search === "" ? sql`true` : sql`instr(lower(${files.filename}), lower(${search})) > 0`;
  const selected = and(eq(files.userId, userId), isReady, isNull(files.deletedAt), matches);
  const [rows, [counted]] = await db.batch([
    db
      .select()
      .from(files)
      .where(selected)
      .orderBy(...ORDERS[order])
      .limit(FILES_PER_PAGE)
      .offset((page - 1) * FILES_PER_PAGE),
    db.select({ total: count() }).from(files).where(selected),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

/**
 * Changes a file that can still be downloaded.
 * @param expiry when it ends from now on, epoch milliseconds, null for never, and what was chosen
 * @returns whether it could; not once it has expired, was removed, or the sweep has claimed it. The clock alone does not
 * decide: `now` was read before the statement runs
 */
export async function changeFile(
  db: Database,
  id: string,
  userId: string,
  change: { filename?: string; expiry?: { expiration: Expiration; expiresAt: number | null } },
  now: number,
): Promise<boolean> {
  const { filename, expiry } = change;
  const { meta } = await repeatable(() =>
    db
      .update(files)
      .set({
        ...(filename === undefined ? {} : { filename }),
        ...(expiry === undefined
          ? {}
          : {
              expiration: expiry.expiration,
              expirationChosen: true,
              expiresAt: expiry.expiresAt === null ? null : new Date(expiry.expiresAt),
            }),
      })
      .where(
        and(
          eq(files.id, id),
          eq(files.userId, userId),
          isReady,
          isNull(files.deletedAt),
          eq(files.adminDeleted, false),
          eq(files.isExpired, false),
          or(isNull(files.expiresAt), gt(files.expiresAt, new Date(now))),
        ),
      ),
  );
  return meta.changes === 1;
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

/** A file whose bytes are to go. */
export interface ExpiredFile {
  /** The row's number: the sweep finds it again by that, which costs the least. */
  rowid: number;
  s3Key: string;
}

/**
 * Claims files past their time whose bytes are still stored, longest overdue first: from here on nothing changes them.
 * Those that an earlier run has claimed and not finished are claimed again. No other row is read.
 */
export async function claimExpiredFiles(db: Database, now: number, limit: number): Promise<ExpiredFile[]> {
  const overdue = db
    .select({ rowid: sql<number>`${rowid}`.as("overdue") })
    .from(files)
    .where(isOverdue(now))
    .orderBy(files.expiresAt)
    .limit(limit);
  const claim = db
    .update(files)
    .set({ isExpired: true })
    .where(sql`${rowid} in ${overdue}`)
    .returning({ rowid: sql<number>`${rowid}`, s3Key: files.s3Key });
  // A batch of one, because only the answer to a batch says what the statement has cost.
  const [claimed] = await repeatable(() => db.batch([claim]));
  return claimed;
}

/** Notes that the store has confirmed the deletion of expired files' objects. */
export async function markExpiredDeleted(db: Database, expired: ExpiredFile[], now: number): Promise<void> {
  // Literal numbers: D1 takes a hundred parameters, and a list in JSON costs a read for each entry. A number that has
  // passed to a new row meanwhile is not that of an expired one.
  const rowids = sql.raw(expired.map((file) => String(file.rowid)).join(","));
  await repeatable(() =>
    db
      .update(files)
      .set({ s3DeletedAt: new Date(now) })
      .where(and(sql`${rowid} in (${rowids})`, isOverdue(now))),
  );
}

function isOverdue(now: number): SQL | undefined {
  return and(lte(files.expiresAt, new Date(now)), isNull(files.s3DeletedAt));
}

/** Notes that the store has confirmed the deletion of those files' objects. */
export async function markObjectsDeleted(db: Database, ids: string[], now: number): Promise<void> {
  await repeatable(() =>
    db
      .update(files)
      .set({ isExpired: true, s3DeletedAt: new Date(now) })
      .where(and(sql`${files.id} in (select value from json_each(${JSON.stringify(ids)}))`, isNull(files.s3DeletedAt))),
  );
}

const COUNT_ON_FILE = "update files set download_count = download_count + 1 where id = ?";
const COUNT_ON_DAY = `
  insert into overview_days (day, downloads) values (?, 1)
  on conflict (day) do update set downloads = downloads + 1`;

/** Counts one finished download: of the file, and of the day. Written by hand (worker/db/raw.ts). */
export async function countDownload(db: Database, id: string, now: number): Promise<void> {
  const { $client } = db;
  await $client.batch([$client.prepare(COUNT_ON_FILE).bind(id), $client.prepare(COUNT_ON_DAY).bind(utcDay(now))]);
}
