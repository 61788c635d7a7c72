import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Database } from "./client.ts";
import { retryIdempotent } from "./retries.ts";
import { files } from "./schema.ts";

/** What a link's gate has decided. Moments are epoch milliseconds. */
export interface GateFacts {
  limit: number;
  used: number;
  endedAt: number | null;
  /** The link expires then. */
  closedAt: number | null;
}

/** Idempotent. Changes nothing once the link has no limit. */
export async function mirrorGate(
  db: Database,
  fileId: string,
  { limit, used, endedAt, closedAt }: GateFacts,
): Promise<void> {
  const closing = {
    // A transfer that is still uploading expires once it is ready: before that it has no list of objects to delete.
    expiresAt: sql`case when ${files.status} = 'ready' then min(coalesce(${files.expiresAt}, ${closedAt}), ${closedAt}) end`,
    endReason: "downloads",
  } as const;
  await retryIdempotent(() =>
    db
      .update(files)
      .set({
        maxDownloads: limit,
        downloadsUsed: sql`max(${files.downloadsUsed}, ${used})`,
        endedAt: endedAt === null ? null : new Date(endedAt),
        ...(closedAt === null ? {} : closing),
      })
      .where(and(eq(files.id, fileId), isNotNull(files.maxDownloads))),
  );
}

/** @returns null when the link has no limit any more, or is not known */
export async function findLimitedLink(db: Database, fileId: string): Promise<{ expiresAt: Date | null } | null> {
  const [row] = await db
    .select({ expiresAt: files.expiresAt })
    .from(files)
    .where(and(eq(files.id, fileId), isNotNull(files.maxDownloads)))
    .limit(1);
  return row ?? null;
}
