import { eq, sql } from "drizzle-orm";
import type { Database } from "./client.ts";
import { retryIdempotent } from "./retries.ts";
import { files, transferPages } from "./schema.ts";

/**
 * The lists of entries that still stand in D1, where releases before decision 051 stored them. `TransferSession` moves
 * such a list into its own storage.
 */

/** Whether a transfer's link works, so that its list is needed. */
function stateOf(db: Database, fileId: string) {
  const isLive = sql<number>`${files.status} = 'ready' and ${files.deletedAt} is null and not ${files.adminDeleted}
    and not ${files.isClaimed} and ${files.s3DeletedAt} is null
    and coalesce(${files.expiresAt} > ${Date.now()}, true)`;
  return db.select({ etag: files.etag, isLive }).from(files).where(eq(files.id, fileId));
}

/** A transfer's row and list, read at once. @returns `row` null if the transfer has no row; `pages` for `decodePage` */
export async function findWithPages(
  db: Database,
  fileId: string,
): Promise<{ row: { etag: string | null; isLive: boolean } | null; pages: string[] }> {
  const [[row], pages] = await db.batch([
    stateOf(db, fileId),
    db
      .select({ entries: transferPages.entries })
      .from(transferPages)
      .where(eq(transferPages.fileId, fileId))
      .orderBy(transferPages.page),
  ]);
  return {
    row: row ? { etag: row.etag, isLive: row.isLive === 1 } : null,
    pages: pages.map(({ entries }) => entries),
  };
}

/** Finds transfers whose upload has ended and whose lists still stand in D1. */
export async function findTransfersWithPages(
  db: Database,
  limit: number,
): Promise<{ id: string; entryCount: number | null }[]> {
  return db
    .selectDistinct({ id: files.id, entryCount: files.entryCount })
    .from(transferPages)
    .innerJoin(files, eq(files.id, transferPages.fileId))
    .where(sql`${files.status} <> 'uploading'`)
    .limit(limit);
}

/** Deletes the list of a transfer. Idempotent. @returns whether the transfer's link works */
export async function deleteTransferPages(db: Database, fileId: string): Promise<{ isLive: boolean }> {
  const [, [row]] = await retryIdempotent(() =>
    db.batch([db.delete(transferPages).where(eq(transferPages.fileId, fileId)), stateOf(db, fileId)]),
  );
  return { isLive: row?.isLive === 1 };
}

/** The SQL is handwritten for speed: see worker/db/client.ts. */
const DOWNLOADS_BETWEEN = "select n, count from entry_downloads where file_id = ? and n between ? and ?";

/** How often each entry from `first` to `last` was downloaded by itself. @returns counts above 0, by entry number */
export async function readEntryDownloads(
  db: Database,
  fileId: string,
  { first, last }: { first: number; last: number },
): Promise<Map<number, number>> {
  const { results } = await db.$client
    .prepare(DOWNLOADS_BETWEEN)
    .bind(fileId, first, last)
    .all<{ n: number; count: number }>();
  return new Map(results.map(({ n, count }) => [n, count]));
}
