import { and, desc, eq, getTableColumns, isNotNull, isNull, sql } from "drizzle-orm";
import type { Database } from "./client.ts";
import type { FileRow } from "./files.ts";
import type { ListPosition } from "./files-after.ts";
import { retryIdempotent } from "./retries.ts";
import { files, uploadRequests } from "./schema.ts";

const rowid = sql<number>`${files}.rowid`;
const isReceived = (userId: string) =>
  and(
    eq(files.userId, userId),
    isNotNull(files.fileRequestId),
    sql`${files.status} = 'ready'`,
    isNull(files.deletedAt),
    eq(files.adminDeleted, false),
  );

/** A received file with the title of its request; the title is null once the request was deleted. */
export interface ReceivedRow {
  file: FileRow;
  requestTitle: string | null;
}

/**
 * Lists files received through a person's requests, newest first, without expired files.
 * @param fileRequestId null for all requests @param after null for the first page @param now epoch milliseconds
 */
export async function listReceivedAfter(
  db: Database,
  userId: string,
  fileRequestId: string | null,
  after: ListPosition | null,
  limit: number,
  now: number,
): Promise<{ rows: ReceivedRow[]; end: ListPosition | null }> {
  const found = await db
    .select({ file: getTableColumns(files), rowid, requestTitle: uploadRequests.title })
    .from(files)
    .leftJoin(uploadRequests, eq(uploadRequests.id, files.fileRequestId))
    .where(
      and(
        isReceived(userId),
        fileRequestId === null ? undefined : eq(files.fileRequestId, fileRequestId),
        sql`(${files.expiresAt} is null or ${files.expiresAt} > ${now})`,
        after ? sql`(${files.uploadedAt}, ${rowid}) < (${after.at}, ${after.rowid})` : undefined,
      ),
    )
    .orderBy(desc(files.uploadedAt), desc(rowid))
    .limit(limit + 1);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const uploadedAt = found.length > limit && last?.file.uploadedAt;
  return { rows, end: uploadedAt ? { at: uploadedAt.getTime(), rowid: last.rowid } : null };
}

/** @returns null for a file that is deleted, or was not received through a request of the person */
export async function findReceived(db: Database, userId: string, id: string): Promise<ReceivedRow | null> {
  const [row] = await db
    .select({ file: getTableColumns(files), requestTitle: uploadRequests.title })
    .from(files)
    .leftJoin(uploadRequests, eq(uploadRequests.id, files.fileRequestId))
    .where(and(isReceived(userId), eq(files.id, id)));
  return row ?? null;
}

/**
 * Gives a received file a link, with a download id that the sender does not know. Keeps an existing link.
 * @param now epoch milliseconds
 */
export async function makeLinkOfReceived(
  db: Database,
  userId: string,
  id: string,
  downloadId: string,
  now: number,
): Promise<void> {
  await retryIdempotent(() =>
    db
      .update(files)
      .set({ downloadId, forwardedAt: new Date(now) })
      .where(and(isReceived(userId), eq(files.id, id), isNull(files.forwardedAt))),
  );
}
