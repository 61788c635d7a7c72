import { and, count, eq, getTableColumns, gt, isNotNull, isNull, lte, or, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Expiration } from "#domain/expiry.ts";
import type { FileOrder } from "#domain/wire.ts";
import type { StoredFile } from "../storage/keys.ts";
import { type Database, findRowBySql } from "./client.ts";
import { readPage, type CountedPage, type PageQuery, type RowOrder } from "./paging.ts";
import { atPrimary } from "./replicas.ts";
import { giveBackUnopened } from "./request-room.ts";
import { retryIdempotent } from "./retries.ts";
import {
  entryDownloads,
  entryWipes,
  fileCounts,
  fileReports,
  files,
  recipients,
  sealedManifests,
  transferNames,
  transferPages,
} from "./schema.ts";
import { byExpiry } from "./schema/files.ts";
import { webhookEventInsert, isFile } from "./webhook-events.ts";

export type FileRow = typeof files.$inferSelect;

/**
 * The condition has a literal, not a parameter: SQLite uses a partial index only where it can see that the index's
 * condition holds.
 */
const isReady = sql`${files.status} = 'ready'`;
export const isUploading = sql`${files.status} = 'uploading'`;

let byDownloadId: string | undefined;

/** Finds a file in any state. A row from a replica may be seconds old. */
export async function findFileByDownloadId(db: Database, downloadId: string): Promise<FileRow | null> {
  const { row, fromPrimary } = await findByLink(db, downloadId);
  // A person may open a link before the replica has the link's row, or the end of its upload.
  return row?.status === "ready" || fromPrimary ? row : findCurrentFile(db, downloadId);
}

/** Does what `findFileByDownloadId` does at the primary database, for serving bytes. */
export async function findCurrentFile(db: Database, downloadId: string): Promise<FileRow | null> {
  return (await atPrimary(() => findByLink(db, downloadId))).row;
}

function findByLink(db: Database, downloadId: string) {
  byDownloadId ??= db.select().from(files).where(eq(files.downloadId, downloadId)).limit(1).toSQL().sql;
  return findRowBySql(db, files, byDownloadId, [downloadId, 1]);
}

export async function findFileById(db: Database, id: string): Promise<FileRow | null> {
  const [row] = await db.select().from(files).where(eq(files.id, id)).limit(1);
  return row ?? null;
}

/** Files received through an upload request are listed with the owner's files once the owner has made a link. */
export const hasLink = sql`(${files.fileRequestId} is null or ${files.forwardedAt} is not null)`;

/** A file received through an upload request has no link until its owner makes one (decision 044). */
export function isWithoutLink({ fileRequestId, forwardedAt }: Pick<FileRow, "fileRequestId" | "forwardedAt">): boolean {
  return fileRequestId !== null && forwardedAt === null;
}

export const FILES_PER_PAGE = 100;

const rowid = sql`${files}.rowid`;

/** The orders of an account's list. For each order, there is an index of the listed files. */
const ORDERS: Record<FileOrder, RowOrder> = {
  newest: { by: sql`${files.uploadedAt}`, descending: true },
  oldest: { by: sql`${files.uploadedAt}`, descending: false },
  name: { by: sql`${files.filename} collate nocase`, descending: false },
  largest: { by: sql`${files.size}`, descending: true },
  expiry: { by: byExpiry(files), descending: false },
};

export interface FileSelection extends PageQuery {
  order: FileOrder;
  /** As `matches` reads it. "" selects every file. */
  search: string;
  /** Selects the files with this label. */
  label?: string | undefined;
}

/** A list of an account's labels has at most this many. */
const LISTED_LABELS = 200;

/**
 * Selects plain links whose name, a file or folder inside, or a recipient's address contains the text. Ignores the case
 * of letters; of letters outside ASCII only in names inside.
 */
function matches(search: string): SQL | undefined {
  const isIn = (text: SQL | SQLiteColumn) => sql`instr(lower(${text}), lower(${search})) > 0`;
  const recipient = sql`select 1 from ${recipients} where ${recipients.transferId} = ${files.id}
    and ${isIn(recipients.email)}`;
  const inside = sql`select 1 from ${transferNames} where ${transferNames.fileId} = ${files.id}
    and instr(${transferNames.names}, ${search.toLowerCase()}) > 0`;
  // The stored name of an encrypted file is not the real name, so a search ignores it.
  return and(isNull(files.seal), or(isIn(files.filename), sql`exists (${recipient})`, sql`exists (${inside})`));
}

/** Selects the links that have a label. */
export function hasLabel(label: string): SQL {
  return sql`exists (select 1 from json_each(${files.labels}) where value = ${label})`;
}

/**
 * Lists a page of an account's files, and all its labels. A search or a label reads all files of the account; another
 * page reads only the rows of the page.
 */
export async function listFilesOf(
  db: Database,
  userId: string,
  { order, search, label, ...place }: FileSelection,
): Promise<CountedPage<FileRow> & { labels: string[] }> {
  const isListed = and(eq(files.userId, userId), isReady, isNull(files.deletedAt), hasLink);
  const isChosen = and(search === "" ? undefined : matches(search), label === undefined ? undefined : hasLabel(label));
  const selected = and(isListed, isChosen);
  const page = readPage(files, selected, ORDERS[order], place, FILES_PER_PAGE);
  const [found, [counted], labels] = await db.batch([
    db.select({ ...getTableColumns(files), ...page.edge }).from(page.source),
    isChosen === undefined
      ? db.select({ total: fileCounts.listed }).from(fileCounts).where(eq(fileCounts.userId, userId))
      : db.select({ total: count() }).from(files).where(selected),
    db
      .selectDistinct({ label: sql<string>`value` })
      .from(sql`${files}, json_each(${files.labels})`)
      .where(and(isListed, isNotNull(files.labels)))
      .orderBy(sql`value collate nocase`)
      .limit(LISTED_LABELS),
  ]);
  return { ...page.cut(found), total: counted?.total ?? 0, labels: labels.map((row) => row.label) };
}

/** The owner of a file: an account's id, or the hash of a visitor's upload token. */
export interface OwnerKey {
  userId: string | null;
  tokenHash: string | null;
}

export function isOwnedBy({ userId, tokenHash }: OwnerKey): SQL | undefined {
  if (userId !== null) return eq(files.userId, userId);
  return tokenHash === null ? sql`false` : and(isNull(files.userId), eq(files.uploadTokenHash, tokenHash));
}

/** New texts of a file or transfer. An absent text stays unchanged. */
interface FileWords {
  filename?: string;
  /** Null removes all labels. */
  labels?: string[] | null;
  /** A transfer's message to its recipients. */
  message?: string | null;
}

/** @returns false once the upload has ended */
export async function updateUnfinishedTransfer(db: Database, id: string, words: FileWords): Promise<boolean> {
  const { meta } = await retryIdempotent(() =>
    db
      .update(files)
      .set(words)
      .where(and(eq(files.id, id), isUploading)),
  );
  return meta.changes === 1;
}

/** @returns false once the file has expired, was removed, or was claimed by the sweep, which may run after `now` */
export async function updateFile(
  db: Database,
  id: string,
  owner: OwnerKey,
  change: FileWords & { expiry?: { expiration: Expiration; chosenEnd: Date | null; expiresAt: Date | null } },
  now: number,
): Promise<boolean> {
  const { expiry, ...words } = change;
  const { meta } = await retryIdempotent(() =>
    db
      .update(files)
      .set({
        ...words,
        ...(expiry === undefined
          ? {}
          : {
              ...expiry,
              expirationChosen: true,
            }),
      })
      .where(
        and(
          eq(files.id, id),
          isOwnedBy(owner),
          isReady,
          isNull(files.deletedAt),
          eq(files.adminDeleted, false),
          eq(files.isClaimed, false),
          or(isNull(files.expiresAt), gt(files.expiresAt, new Date(now))),
        ),
      ),
  );
  return meta.changes === 1;
}

/** The columns that tell a row's object keys, and whether the row has lists of entries. */
export const STORED_COLUMNS = {
  id: files.id,
  s3Key: files.s3Key,
  entryCount: files.entryCount,
  objectCount: files.objectCount,
  pictureObjects: files.pictureObjects,
  manifestRevision: files.manifestRevision,
  keptAt: files.keptAt,
};

/** Expires a file now. @param more further columns of the row to set @returns null when the owner has no such file */
export async function revokeFile(
  db: Database,
  id: string,
  owner: OwnerKey,
  now: number,
  more: Partial<Pick<FileRow, "entryCount" | "size">> = {},
): Promise<StoredFile | null> {
  const at = new Date(now);
  const isOwn = sql`${and(isOwnedBy(owner), isReady, isNull(files.deletedAt))}`;
  const [, , [row]] = await db.batch([
    // These two statements precede the update, because the update makes their condition untrue.
    webhookEventInsert(db, "transfer.deleted", isFile(id, isOwn), now, null),
    giveBackUnopened(db, id, isOwn),
    db
      .update(files)
      .set({ ...more, deletedAt: at, expiresAt: sql`min(coalesce(${files.expiresAt}, ${now}), ${now})` })
      .where(and(eq(files.id, id), isOwn))
      .returning(STORED_COLUMNS),
  ]);
  return row ?? null;
}

/** Lists an account's unfinished uploads, including uploads of strangers through the account's upload requests. */
export async function listUploadingOf(db: Database, userId: string, limit: number): Promise<FileRow[]> {
  return db
    .select()
    .from(files)
    .where(and(eq(files.userId, userId), isUploading))
    .limit(limit);
}

/** Lists an account's files and transfers whose bytes are stored, without those kept for the authorities. */
export async function listStoredOf(db: Database, userId: string, limit: number): Promise<StoredFile[]> {
  return db
    .select(STORED_COLUMNS)
    .from(files)
    .where(and(eq(files.userId, userId), isReady, isNull(files.s3DeletedAt), isNull(files.keptAt)))
    .limit(limit);
}

export interface ExpiredFile extends StoredFile {
  /** The row's number in SQLite, the cheapest key for `markExpiredDeleted`. */
  rowid: number;
}

/**
 * Claims expired files, oldest expiry first, also files that an earlier run has claimed and not deleted. A claimed file
 * cannot change.
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
    .set({ isClaimed: true })
    .where(sql`${rowid} in ${overdue}`)
    .returning({ rowid: sql<number>`${rowid}`, ...STORED_COLUMNS });
  // A batch of one statement, because only a batch's result contains the statement's cost.
  const [claimed] = await retryIdempotent(() => db.batch([claim]));
  return claimed;
}

/** Marks expired files as deleted. Call it after R2 has confirmed that the files' objects are deleted. */
export async function markExpiredDeleted(db: Database, expired: ExpiredFile[], now: number): Promise<void> {
  // The rowids are literals, because D1 allows 100 parameters and a JSON list costs one read per entry. `isOverdue`
  // excludes a new row that reuses a rowid.
  const literals = (rows: ExpiredFile[]) => sql.raw(rows.map((file) => String(file.rowid)).join(","));
  const isMeant = (rows: ExpiredFile[]) => and(sql`${rowid} in (${literals(rows)})`, isOverdue(now));
  const update = db
    .update(files)
    .set({ s3DeletedAt: new Date(now) })
    .where(isMeant(expired));
  const listed = expired.filter(keepsSession);
  const ids = db.select({ id: files.id }).from(files).where(isMeant(listed));
  // Excludes links that were deleted or taken down, whose bytes the sweep deletes as well.
  const hasExpired = sql`${isMeant(expired)} and ${files.deletedAt} is null and not ${files.adminDeleted}`;
  const event = webhookEventInsert(db, "transfer.expired", hasExpired, now, null);
  await retryIdempotent(() =>
    db.batch([event, ...(listed.length === 0 ? [] : listDeletions(db, sql`${ids}`, listed)), update]),
  );
}

function isOverdue(now: number): SQL | undefined {
  return and(
    lte(files.expiresAt, new Date(now)),
    isNull(files.s3DeletedAt),
    // A suspension deletes nothing, and what is kept for the authorities stays (decision 059).
    isNull(files.suspendedAt),
    isNull(files.keptAt),
  );
}

/** Marks files as deleted. Call it after R2 has confirmed that the files' objects are deleted. */
export async function markObjectsDeleted(db: Database, stored: StoredFile[], now: number): Promise<void> {
  const idsOf = (rows: StoredFile[]) => sql`(select value from json_each(${JSON.stringify(rows.map(({ id }) => id))}))`;
  const update = db
    .update(files)
    .set({ isClaimed: true, s3DeletedAt: new Date(now) })
    .where(and(sql`${files.id} in ${idsOf(stored)}`, isNull(files.s3DeletedAt)));
  const listed = stored.filter(keepsSession);
  await retryIdempotent(async () =>
    listed.length === 0 ? update : db.batch([...listDeletions(db, idsOf(listed), listed), update]),
  );
}

/** Whether the row's session keeps something as long as the bytes: a list of files, or where pictures are stored. */
export function keepsSession({ entryCount, manifestRevision, pictureObjects }: StoredFile): boolean {
  return entryCount !== null || manifestRevision !== null || pictureObjects > 0;
}

/** Deletes lists and names of entries, entry counts, encrypted lists and reported keys. @param ids of `rows`, in brackets */
function listDeletions(db: Database, ids: SQL, rows: StoredFile[]) {
  const isSealed = rows.some(({ manifestRevision }) => manifestRevision !== null);
  return [
    db.delete(transferPages).where(sql`${transferPages.fileId} in ${ids}`),
    db.delete(transferNames).where(sql`${transferNames.fileId} in ${ids}`),
    db.delete(entryDownloads).where(sql`${entryDownloads.fileId} in ${ids}`),
    db.delete(entryWipes).where(sql`${entryWipes.fileId} in ${ids}`),
    ...(isSealed
      ? [db.delete(sealedManifests).where(sql`${sealedManifests.transferId} in ${ids}`), sharedKeyRemoval(db, ids)]
      : []),
  ] as const;
}

/** Deletes the keys that reports hold for sealed links whose bytes are gone. @param ids of files, in brackets */
export function sharedKeyRemoval(db: Database, ids: SQL) {
  return db
    .update(fileReports)
    .set({ sharedKey: null })
    .where(and(sql`${fileReports.fileId} in ${ids}`, isNotNull(fileReports.sharedKey)));
}
