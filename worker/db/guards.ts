import { and, eq, gt, inArray, isNull, or, sql } from "drizzle-orm";
import type { Database } from "./client.ts";
import { isOwnedBy, type FileRow, type OwnerKey } from "./files.ts";
import { retryIdempotent } from "./retries.ts";
import { files } from "./schema.ts";

/** What is absent stays; null removes the guard. */
export interface GuardChange {
  passwordHash?: string | null;
  maxDownloads?: number | null;
  /** Of an encrypted link: another password, or none. */
  rewrapped?: { seal: string; accessHash: string };
}

/**
 * Each change of the password ends every grant. A limit that has been used up ends the link for others.
 * @param now epoch milliseconds
 * @returns the row afterwards; null once the link has ended, or for another owner's
 */
export async function updateGuards(
  db: Database,
  id: string,
  owner: OwnerKey,
  { passwordHash, maxDownloads, rewrapped }: GuardChange,
  now: number,
): Promise<FileRow | null> {
  const limit = sql`${maxDownloads ?? null}`;
  const voidsGrants = passwordHash !== undefined || rewrapped !== undefined;
  const password = {
    ...(passwordHash === undefined ? {} : { passwordHash }),
    ...rewrapped,
    ...(voidsGrants ? { guardRevision: sql`${files.guardRevision} + 1` } : {}),
  };
  const downloads =
    maxDownloads === undefined
      ? {}
      : {
          maxDownloads,
          endedAt: sql`case when ${files.downloadsUsed} >= ${limit} then coalesce(${files.endedAt}, ${now}) end`,
        };
  const [row] = await retryIdempotent(() =>
    db
      .update(files)
      .set({ ...password, ...downloads })
      .where(
        and(
          eq(files.id, id),
          isOwnedBy(owner),
          inArray(files.status, ["uploading", "ready"]),
          isNull(files.deletedAt),
          eq(files.adminDeleted, false),
          eq(files.isExpired, false),
          or(isNull(files.expiresAt), gt(files.expiresAt, new Date(now))),
        ),
      )
      .returning(),
  );
  return row ?? null;
}
