import { and, eq, gt, inArray, isNull, or, sql, isNotNull } from "drizzle-orm";
import type { Database } from "./client.ts";
import { isOwnedBy, type FileRow, type OwnerKey } from "./files.ts";
import { retryIdempotent } from "./retries.ts";
import { files } from "./schema.ts";

/** Changes of a link's protection. An absent value stays unchanged. Null removes the password or the limit. */
export interface ProtectionChange {
  passwordHash?: string | null;
  maxDownloads?: number | null;
  /** The link's new seal after a change of an encrypted link's password. */
  rewrapped?: { seal: string; accessHash: string };
}

/**
 * Changes a link's protection. A change of the password voids every grant. A limit that is already reached ends the
 * link for people without a lease.
 * @param now epoch milliseconds
 * @returns the changed row; null when the link has ended or is another owner's
 */
export async function updateProtection(
  db: Database,
  id: string,
  owner: OwnerKey,
  { passwordHash, maxDownloads, rewrapped }: ProtectionChange,
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
          eq(files.isClaimed, false),
          or(isNull(files.expiresAt), gt(files.expiresAt, new Date(now))),
        ),
      )
      .returning(),
  );
  return row ?? null;
}

/** The decisions of a link's `DownloadGate`. Times are epoch milliseconds. */
export interface GateFacts {
  limit: number;
  used: number;
  endedAt: number | null;
  /** When the link expires. */
  closedAt: number | null;
}

/** Copies the gate's decisions to the link's row. Idempotent. Changes nothing once the link has no limit. */
export async function mirrorGate(
  db: Database,
  fileId: string,
  { limit, used, endedAt, closedAt }: GateFacts,
): Promise<void> {
  const closing = {
    // A transfer that is still uploading expires once it is ready: before that, it has no list of objects to delete.
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

/** @returns null when the link is unknown or no longer has a download limit */
export async function findLimitedLink(db: Database, fileId: string): Promise<{ expiresAt: Date | null } | null> {
  const [row] = await db
    .select({ expiresAt: files.expiresAt })
    .from(files)
    .where(and(eq(files.id, fileId), isNotNull(files.maxDownloads)))
    .limit(1);
  return row ?? null;
}
