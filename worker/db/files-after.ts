import { and, desc, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import type { Database } from "./client.ts";
import { hasLabel, hasLink, type FileRow } from "./files.ts";
import { files } from "./schema.ts";

/** The position of a row in a list, newest first. */
export interface ListPosition {
  /** When the row was uploaded or created, in epoch milliseconds. */
  at: number;
  rowid: number;
}

/** Orders rows of the same time, because SQLite appends the rowid to every index. */
const rowid = sql<number>`${files}.rowid`;

/**
 * A person's finished files, newest first, page by page. New files do not shift later pages.
 * @param after null for the first page @param label selects the files with this label
 * @returns `end`: the position of the page's last row, if more rows follow
 */
export async function listFilesAfter(
  db: Database,
  userId: string,
  after: ListPosition | null,
  limit: number,
  label?: string,
): Promise<{ rows: FileRow[]; end: ListPosition | null }> {
  const isAfter = after ? sql`(${files.uploadedAt}, ${rowid}) < (${after.at}, ${after.rowid})` : undefined;
  const rows = await db
    .select({ ...getTableColumns(files), rowid })
    .from(files)
    .where(
      and(
        eq(files.userId, userId),
        sql`${files.status} = 'ready'`,
        isNull(files.deletedAt),
        hasLink,
        isAfter,
        label === undefined ? undefined : hasLabel(label),
      ),
    )
    .orderBy(desc(files.uploadedAt), desc(rowid))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit && last?.uploadedAt;
  return { rows: page, end: hasMore ? { at: hasMore.getTime(), rowid: last.rowid } : null };
}
