import { and, asc, eq, gt, isNull, or, sql, type SQL } from "drizzle-orm";
import { ENTRIES_PER_PAGE, STORED_INDEX } from "#domain/transfers/pages.ts";
import { auditEntryInsert, type AuditEntry } from "./admin-audit.ts";
import type { Database } from "./client.ts";
import type { FileRow } from "./files.ts";
import { outboxInsert, type DueMail } from "./mail.ts";
import { retryIdempotent } from "./retries.ts";
import { adminAuditLogs, entryWipes, files, transferPages } from "./schema.ts";
import { nextZipDate } from "./transfers.ts";

/** Bytes that storage must lose. */
export interface Wipe {
  s3Key: string;
  fromByte: number;
  /** Null for the whole object. */
  length: number | null;
}

export interface EntryRemoval {
  fileId: string;
  n: number;
  /** The ZIP's from which the rest was worked out, unquoted: another removal changes it. */
  etagBefore: string;
  etag: string;
  zipSizeBytes: number;
  /** The size of the entries that are left. */
  sizeBytes: number;
  entries: number;
  /** Null for an entry without bytes. */
  wipe: Wipe | null;
  /** Epoch milliseconds. */
  at: number;
}

/** A row with its list, in one state. @returns null without a row; no pages before the transfer is ready */
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

/** The log entry and the mail of a take-down. Each take-down of an entry has the same `log.id`. */
export interface TakeDownRecord {
  log: AuditEntry & { id: string };
  /** The mail to the owner; null without an address. */
  mail: DueMail | null;
}

/**
 * Idempotent.
 * @returns `isRemoved` false when the list has changed meanwhile, or the link has ended: nothing is written then.
 *   `isMailed`: this call has saved the mail
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
  // The update of `files` comes last, because it changes the ETag that the condition compares.
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
      // Tells whether the entry is removed, also when this batch is repeated because its first answer was lost.
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
 * For an entry that its transfer's session removes, because it is still uploading. Idempotent.
 * @returns whether this call has saved the mail
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

/** If a stretch that begins at the same byte is still to be wiped, the new length replaces it: null wipes the object. */
function wipeInsert(db: Database, fileId: string, { s3Key, fromByte, length }: Wipe, at: number, condition: SQL) {
  return db
    .insert(entryWipes)
    .select(sql`select ${s3Key}, ${fromByte}, ${length}, ${fileId}, ${at} where ${condition}`)
    .onConflictDoUpdate({
      target: [entryWipes.s3Key, entryWipes.fromByte],
      set: { length: sql`excluded.length` },
    });
}

/** Oldest first. */
export async function listWipes(db: Database, limit: number): Promise<Wipe[]> {
  return db
    .select({ s3Key: entryWipes.s3Key, fromByte: entryWipes.fromByte, length: entryWipes.length })
    .from(entryWipes)
    .orderBy(asc(entryWipes.askedAt))
    .limit(limit);
}

/** Lists the wipes of one object. */
export async function listWipesOf(db: Database, s3Key: string): Promise<Wipe[]> {
  return db
    .select({ s3Key: entryWipes.s3Key, fromByte: entryWipes.fromByte, length: entryWipes.length })
    .from(entryWipes)
    .where(eq(entryWipes.s3Key, s3Key));
}

/** Call after storage has confirmed it. Leaves wipes that were asked for meanwhile. */
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
