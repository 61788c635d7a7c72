import { sql, type SQL } from "drizzle-orm";
import type { Database } from "./client.ts";
import { fileCounts, files, users } from "./schema.ts";

/** The number and the bytes of an account's finished files, as the columns of `file_counts`. */
interface FileCounts {
  listed: number;
  stored: number;
  storedBytes: number;
}

/**
 * An SQL expression for the bytes that an account stores and uploads.
 * @param userId an id, or a column of the statement
 */
export function storedBytesOf(userId: SQL): SQL {
  return sql`(coalesce((select counts.stored_bytes from file_counts as counts where counts.user_id = ${userId}), 0)
    + (select coalesce(sum(owned.size), 0) from files as owned
        where owned.user_id = ${userId} and owned.status = 'uploading'))`;
}

/** The numbers of `FileCounts`, counted from all finished files of a row of `users`. */
const COUNTED = {
  listed: sql`(select count(*) from ${files} where ${files.userId} = ${users.id} and ${files.status} = 'ready'
    and ${files.deletedAt} is null and (${files.fileRequestId} is null or ${files.forwardedAt} is not null))`,
  stored: sql`(select count(*) ${sql.raw(storedFiles())})`,
  storedBytes: sql`(select coalesce(sum(files.size), 0) ${sql.raw(storedFiles())})`,
};

/** The first condition on `status` lets SQLite use the partial index `files_owner_stored`. */
function storedFiles(): string {
  return `from files where files.user_id = users.id and files.status in ('uploading', 'ready')
    and files.s3_deleted_at is null and files.status = 'ready'`;
}

export interface WrongCounts {
  userId: string;
  kept: FileCounts;
  counted: FileCounts;
}

/**
 * Counts the files of the accounts whose ids begin with `prefix`.
 * @returns the accounts whose row in `file_counts` has other numbers
 */
export async function findWrongCounts(db: Database, prefix: string): Promise<WrongCounts[]> {
  const rows = await db.all<FileCounts & { userId: string; n: number; ready: number; bytes: number }>(sql`
    select * from (
      select users.id as userId, coalesce(kept.listed, 0) as listed, coalesce(kept.stored, 0) as stored,
        coalesce(kept.stored_bytes, 0) as storedBytes, ${COUNTED.listed} as n, ${COUNTED.stored} as ready,
        ${COUNTED.storedBytes} as bytes
      from users left join file_counts as kept on kept.user_id = users.id
      where users.id >= ${prefix} and users.id < ${`${prefix}g`})
    where (listed, stored, storedBytes) <> (n, ready, bytes)`);
  return rows.map(({ userId, n, ready, bytes, ...kept }) => ({
    userId,
    kept,
    counted: { listed: n, stored: ready, storedBytes: bytes },
  }));
}

/**
 * Counts the files of accounts and writes the counts in one statement, so that no change of a file falls between the
 * two.
 */
export async function mendCounts(db: Database, userIds: string[]): Promise<void> {
  await db
    .insert(fileCounts)
    .select(
      sql`select users.id, ${COUNTED.listed}, ${COUNTED.stored}, ${COUNTED.storedBytes} from users
        where users.id in (select value from json_each(${JSON.stringify(userIds)}))`,
    )
    .onConflictDoUpdate({
      target: fileCounts.userId,
      set: { listed: sql`excluded.listed`, stored: sql`excluded.stored`, storedBytes: sql`excluded.stored_bytes` },
    });
}
