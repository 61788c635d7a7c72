import { and, asc, eq, gt, isNull, or, sql, type SQL } from "drizzle-orm";
import { ENTRIES_PER_PAGE, STORED_INDEX } from "#domain/transfers/pages.ts";
import { auditEntryInsert, type AuditEntry } from "./admin-audit.ts";
import type { Database } from "./client.ts";
import type { FileRow } from "./files.ts";
import { outboxInsert, type DueMail } from "./mail.ts";
import { retryIdempotent } from "./retries.ts";
import { adminAuditLogs, entryWipes, files, transferPages } from "./schema.ts";
import { nextZipDate } from "./transfers.ts";

/** A byte range that storage must delete. */
export interface Wipe {
  s3Key: string;
  fromByte: number;
  /** The number of bytes; null for the whole object. */
  length: number | null;
}

export interface EntryRemoval {
  fileId: string;
  n: number;
  /** The unquoted ETag of the ZIP from which the new values were computed. Another removal changes the ETag. */
  etagBefore: string;
  etag: string;
  zipSizeBytes: number;
  /** The bytes of the remaining entries. */
  sizeBytes: number;
  entries: number;
  /** The bytes to delete; null for an entry without bytes. */
  wipe: Wipe | null;
  /** Epoch milliseconds. */
  at: number;
}

/** A row and its list of entries, read at once. @returns null without a row; no pages before the transfer is ready */
export async function findFileWithPages(db: Database, id: string): Promise<{ file: FileRow; pages: string[] } | null> {
  const [[file], pages] = await db.batch([
    db.select().from(files).where(eq(files.id, id)),
    db
      .select({ entries: transferPages.entries })
      .from(transferPages)
      .where(eq(transferPages.fileId, id))
      .orderBy(transferPages.page),
  ]);
  return file ? { file, pages: pages.map(({ entries }) => entries) } : null;
}

/** The log entry and mail of a take-down. Repeated take-downs of an entry have the same `log.id`. */
export interface TakeDownRecord {
  log: AuditEntry & { id: string };
  /** The mail to the owner; null without an address. */
  mail: DueMail | null;
}

/**
 * Removes an entry from a ready transfer. Idempotent.
 * @returns `isRemoved` false (nothing is written) when the list has changed since it was read, or the link has ended.
 * `isMailed`: this call has saved the mail
 */
export async function removeEntry(
  db: Database,
  removal: EntryRemoval,
  takeDown: TakeDownRecord | null,
): Promise<{ isRemoved: boolean; isMailed: boolean }> {
  const { fileId, n, wipe, at } = removal;
  const path = `$[${n % ENTRIES_PER_PAGE}][${STORED_INDEX.removedAt}]`;
  const isUnchanged = and(
    eq(files.id, fileId),
    eq(files.etag, removal.etagBefore),
    eq(files.status, "ready"),
    isNull(files.deletedAt),
    eq(files.adminDeleted, false),
    or(isNull(files.expiresAt), gt(files.expiresAt, new Date(at))),
  );
  // The update of `files` comes last, because the update changes the ETag that the condition compares.
  const ifUnchanged = sql`exists (select 1 from ${files} where ${isUnchanged})`;
  const ifNew = takeDown ? sql`${ifUnchanged} and ${isNotLogged(takeDown)}` : ifUnchanged;
  const mail = takeDown?.mail ?? null;
  const [mailed, ...results] = await retryIdempotent(() =>
    db.batch([
      mail
        ? outboxInsert(db, mail, ifNew, at)
        : db
            .select({ id: files.id })
            .from(files)
            .where(sql`false`),
      db
        .update(transferPages)
        .set({ entries: sql`json_set(${transferPages.entries}, ${path}, cast(${at} as integer))` })
        .where(
          and(eq(transferPages.fileId, fileId), eq(transferPages.page, Math.floor(n / ENTRIES_PER_PAGE)), ifUnchanged),
        ),
      ...(wipe ? [wipeInsert(db, fileId, wipe, at, ifUnchanged)] : []),
      ...(takeDown ? [auditEntryInsert(db, takeDown.log, ifNew)] : []),
      db
        .update(files)
        .set({
          etag: removal.etag,
          zipSize: removal.zipSizeBytes,
          zipChangedAt: nextZipDate(at),
          size: removal.sizeBytes,
          entryCount: removal.entries,
        })
        .where(isUnchanged),
      // Finds the new ETag also when the batch is repeated after a lost answer, so that the removal counts as done.
      db
        .select({ id: files.id })
        .from(files)
        .where(and(eq(files.id, fileId), eq(files.etag, removal.etag))),
    ]),
  );
  const rows = results.at(-1);
  return {
    isRemoved: Array.isArray(rows) && rows.length === 1,
    isMailed: !Array.isArray(mailed) && mailed.meta.changes === 1,
  };
}

function isNotLogged({ log }: TakeDownRecord): SQL {
  return sql`not exists (select 1 from ${adminAuditLogs} where ${adminAuditLogs.id} = ${log.id})`;
}

/**
 * Logs and mails the take-down of an entry that the session removes, because its transfer is still uploading.
 * Idempotent. @returns whether this call has saved the mail
 */
export async function recordTakeDown(db: Database, takeDown: TakeDownRecord): Promise<boolean> {
  const { log, mail } = takeDown;
  const isNew = isNotLogged(takeDown);
  const logged = auditEntryInsert(db, log, isNew);
  if (!mail) {
    await retryIdempotent(() => db.batch([logged]));
    return false;
  }
  const [mailed] = await retryIdempotent(() => db.batch([outboxInsert(db, mail, isNew, log.at), logged]));
  return mailed.meta.changes === 1;
}

/** Replaces the length of a waiting wipe that begins at the same byte. A null length wipes the whole object. */
function wipeInsert(db: Database, fileId: string, { s3Key, fromByte, length }: Wipe, at: number, condition: SQL) {
  return db
    .insert(entryWipes)
    .select(sql`select ${s3Key}, ${fromByte}, ${length}, ${fileId}, ${at} where ${condition}`)
    .onConflictDoUpdate({
      target: [entryWipes.s3Key, entryWipes.fromByte],
      set: { length: sql`excluded.length` },
    });
}

/** Lists byte ranges that storage must delete, oldest first. */
export async function listWipes(db: Database, limit: number): Promise<Wipe[]> {
  return db
    .select({ s3Key: entryWipes.s3Key, fromByte: entryWipes.fromByte, length: entryWipes.length })
    .from(entryWipes)
    .orderBy(asc(entryWipes.askedAt))
    .limit(limit);
}

/** Lists the byte ranges of one object that storage must delete. */
export async function listWipesOf(db: Database, s3Key: string): Promise<Wipe[]> {
  return db
    .select({ s3Key: entryWipes.s3Key, fromByte: entryWipes.fromByte, length: entryWipes.length })
    .from(entryWipes)
    .where(eq(entryWipes.s3Key, s3Key));
}

/** Call after storage has confirmed the deletion. Wipes that were requested meanwhile stay. */
export async function markWiped(db: Database, s3Key: string, wiped: Wipe[]): Promise<void> {
  const done = JSON.stringify(wiped.map(({ fromByte, length }) => [fromByte, length]));
  await retryIdempotent(() =>
    db.delete(entryWipes).where(
      and(
        eq(entryWipes.s3Key, s3Key),
        sql`exists (select 1 from json_each(${done})
          where json_extract(value, '$[0]') = ${entryWipes.fromByte}
            and json_extract(value, '$[1]') is ${entryWipes.length})`,
      ),
    ),
  );
}
