import { and, eq, isNull, sql, type SQL } from "drizzle-orm";
import { MAX_UNFINISHED_IN_ALL } from "#domain/rate-limits.ts";
import type { Database } from "./client.ts";
import { isUploading } from "./files.ts";
import type { NewFile } from "./new-files.ts";
import { files } from "./schema.ts";

type Starting = Pick<NewFile, "id" | "apiKeyId" | "transferLabel"> & { userId: string };

/** Uploads of a key with the same label have the same value, and every other upload has its own. */
const counted = sql`coalesce(${files.apiKeyId} || ' ' || ${files.transferLabel}, ${files.id})`;

function countedOf({ id, apiKeyId, transferLabel }: Starting): string {
  return apiKeyId === null || transferLabel === null ? id : `${apiKeyId} ${transferLabel}`;
}

/** What its owner has unfinished beside an upload that starts, and beside those that count as one with it. */
function othersCounted(file: Starting): SQL<number> {
  return sql<number>`count(distinct case when ${counted} <> ${countedOf(file)} then ${counted} end)`;
}

/**
 * For the statement that reserves an upload. What strangers send through requests is limited by itself. @param max with this upload;
 * `Infinity` for no limit
 */
export function isBelowUnfinishedLimit(file: Starting, max: number): SQL {
  if (!Number.isFinite(max)) return sql`true`;
  return sql`(select ${othersCounted(file)} < ${max} and count(*) < ${MAX_UNFINISHED_IN_ALL}
    from ${files} where ${files.userId} = ${file.userId} and ${isUploading} and ${files.requestId} is null)`;
}

/** Which limit an upload that starts would exceed, as a number of uploads. @param max as above @returns null for none */
export async function findExceededLimit(db: Database, file: Starting, max: number): Promise<number | null> {
  if (!Number.isFinite(max)) return null;
  const [row] = await db
    .select({ others: othersCounted(file), all: sql<number>`count(*)` })
    .from(files)
    .where(and(eq(files.userId, file.userId), isUploading, isNull(files.requestId)));
  if (row && row.others >= max) return max;
  return row && row.all >= MAX_UNFINISHED_IN_ALL ? MAX_UNFINISHED_IN_ALL : null;
}
