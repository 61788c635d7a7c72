import { and, asc, eq, gt, isNull, or, sql, type SQL } from "drizzle-orm";
import { auditEntryInsert, type AuditEntry } from "./admin-audit.ts";
import type { Database } from "./client.ts";
import { outboxInsert, type DueMail } from "./mail.ts";
import { retryIdempotent } from "./retries.ts";
import { adminAuditLogs, entryWipes, files, transferNames } from "./schema.ts";
import { statementInsert, type NewStatement } from "./statements.ts";

/** A byte range that storage must delete. */
export interface Wipe {
  s3Key: string;
  fromByte: number;
  /** The number of bytes; null for the whole object. */
  length: number | null;
}

/** What a removal of entries, or a corrected checksum, changes in a ready transfer's row. */
export interface ArchiveChange {
  fileId: string;
  /** The unquoted ETag of the ZIP before the change. `etag`: the ETag after it. */
  etagBefore: string;
  etag: string;
  zipSizeBytes: number;
  /** The bytes of the remaining entries. */
  sizeBytes: number;
  entries: number;
  /** The names by which a search finds the transfer. */
  names: string;
  /** The byte ranges that storage must delete. */
  wipes: Wipe[];
  /** Epoch milliseconds. */
  at: number;
}

/** The log entry and mail of a take-down. Repeated take-downs of an entry have the same `log.id`. */
export interface TakeDownRecord {
  log: AuditEntry & { id: string };
  /** Kept together with the mail, whose link it is for. */
  statement: NewStatement;
  /** The mail to the owner; null if the owner has no address. */
  mail: DueMail | null;
}

/**
 * Changes the row of a ready transfer. Idempotent.
 * @returns false once the link has ended, in which case nothing is written
 */
export async function updateArchive(db: Database, change: ArchiveChange): Promise<boolean> {
  const { fileId, etag, wipes, at } = change;
  const isBefore = and(
    eq(files.id, fileId),
    eq(files.etag, change.etagBefore),
    eq(files.status, "ready"),
    isNull(files.deletedAt),
    eq(files.adminDeleted, false),
    or(isNull(files.expiresAt), gt(files.expiresAt, new Date(at))),
  );
  const results = await retryIdempotent(() =>
    db.batch([
      // Finds the row also by its new ETag, for a batch that is repeated after a lost answer.
      db
        .select({ id: files.id })
        .from(files)
        .where(and(eq(files.id, fileId), or(isBefore, eq(files.etag, etag)))),
      ...(wipes.length === 0 ? [] : [wipeInsert(db, fileId, wipes, at, sql`${isBefore}`)]),
      // Updates no row of an encrypted transfer, which has none.
      db
        .update(transferNames)
        .set({ names: change.names })
        .where(and(eq(transferNames.fileId, fileId), sql`exists (select 1 from ${files} where ${isBefore})`)),
      // This update comes last, because it changes the ETag that the condition compares.
      db
        .update(files)
        .set({
          etag,
          zipSize: change.zipSizeBytes,
          // The date of the changed ZIP is later than its former date by at least a second, because dates in HTTP have
          // whole seconds (RFC 9110).
          zipChangedAt: sql`max(${at}, (${files.zipChangedAt} / 1000 + 1) * 1000)`,
          size: change.sizeBytes,
          entryCount: change.entries,
        })
        .where(isBefore),
    ]),
  );
  return results[0].length === 1;
}

function isNotLogged({ log }: TakeDownRecord): SQL {
  return sql`not exists (select 1 from ${adminAuditLogs} where ${adminAuditLogs.id} = ${log.id})`;
}

/**
 * Logs and mails the take-down of an entry that the session removes, because its transfer is still uploading.
 * Idempotent. @returns whether this call has saved the mail
 */
export async function recordTakeDown(db: Database, takeDown: TakeDownRecord): Promise<boolean> {
  const { log, mail, statement } = takeDown;
  const isNew = isNotLogged(takeDown);
  const logged = auditEntryInsert(db, log, isNew);
  if (!mail) {
    await retryIdempotent(() => db.batch([logged]));
    return false;
  }
  const [mailed] = await retryIdempotent(() =>
    db.batch([outboxInsert(db, mail, isNew, log.at), statementInsert(db, statement, isNew), logged]),
  );
  return mailed.meta.changes === 1;
}

/**
 * The statement that inserts wipes. Replaces the length of a waiting wipe that begins at the same byte. A null length
 * wipes the whole object.
 */
function wipeInsert(db: Database, fileId: string, wipes: Wipe[], at: number, condition: SQL) {
  const list = JSON.stringify(wipes.map(({ s3Key, fromByte, length }) => [s3Key, fromByte, length]));
  return db
    .insert(entryWipes)
    .select(
      sql`select value ->> 0, value ->> 1, value ->> 2, ${fileId}, ${at} from json_each(${list})
        where exists (select 1 from ${files} where ${condition})`,
    )
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

/** Lists the byte ranges of these objects that storage must delete. */
export async function listWipesOf(db: Database, s3Keys: readonly string[]): Promise<Wipe[]> {
  return db
    .select({ s3Key: entryWipes.s3Key, fromByte: entryWipes.fromByte, length: entryWipes.length })
    .from(entryWipes)
    .where(sql`${entryWipes.s3Key} in (select value from json_each(${JSON.stringify(s3Keys)}))`);
}

/**
 * Deletes wipes. Call it after storage has confirmed the deletion of the bytes. Wipes that were requested during the
 * deletion stay.
 */
export async function markWiped(db: Database, wiped: Wipe[]): Promise<void> {
  const done = JSON.stringify(wiped.map(({ s3Key, fromByte, length }) => [s3Key, fromByte, length]));
  await retryIdempotent(() =>
    db.delete(entryWipes).where(
      and(
        sql`${entryWipes.s3Key} in (select json_extract(value, '$[0]') from json_each(${done}))`,
        sql`exists (select 1 from json_each(${done})
          where json_extract(value, '$[0]') = ${entryWipes.s3Key}
            and json_extract(value, '$[1]') = ${entryWipes.fromByte}
            and json_extract(value, '$[2]') is ${entryWipes.length})`,
      ),
    ),
  );
}
