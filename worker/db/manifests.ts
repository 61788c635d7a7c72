import { and, eq, inArray, isNull, lt, or, sql } from "drizzle-orm";
import type { PutManifest } from "#domain/wire.ts";
import type { Database } from "./client.ts";
import { isOwnedBy, isUploading, sharedKeyRemoval, type OwnerKey } from "./files.ts";
import { retryIdempotent } from "./retries.ts";
import { files, sealedManifests } from "./schema.ts";

/**
 * An encrypted list of files, as D1 stores it for links of releases before decision 051. A link's session moves the
 * list into its own storage. For other links D1 has the list's revision alone.
 */

export interface StoredManifest {
  revision: number;
  final: boolean;
  /** The encrypted list as base64url. */
  body: string;
}

/** Whether a sealed link's list is needed: its upload goes on, or its bytes are there and have not expired. */
function isNeeded() {
  return sql<number>`${files.status} in ('uploading', 'ready') and ${files.deletedAt} is null
    and not ${files.adminDeleted} and not ${files.isClaimed} and ${files.s3DeletedAt} is null
    and coalesce(${files.expiresAt} > ${Date.now()}, true)`;
}

/** Reads a list that still stands in D1. @returns null if there is none, and once its link has ended */
export async function findStoredManifest(db: Database, id: string): Promise<StoredManifest | null> {
  const [row] = await db
    .select({ revision: sealedManifests.revision, final: files.manifestFinal, body: sealedManifests.body })
    .from(sealedManifests)
    .innerJoin(files, eq(files.id, sealedManifests.transferId))
    .where(and(eq(sealedManifests.transferId, id), isNeeded()))
    .limit(1);
  return row ?? null;
}

/** Deletes a list that still stands in D1. Idempotent. @returns whether the link needs its list */
export async function deleteStoredManifest(db: Database, id: string): Promise<{ isNeeded: boolean }> {
  const [, [row]] = await retryIdempotent(() =>
    db.batch([
      db.delete(sealedManifests).where(eq(sealedManifests.transferId, id)),
      db.select({ isNeeded: isNeeded() }).from(files).where(eq(files.id, id)),
    ]),
  );
  return { isNeeded: row?.isNeeded === 1 };
}

/** Links whose lists still stand in D1. */
export async function findLinksWithManifests(
  db: Database,
  limit: number,
): Promise<{ id: string; entryCount: number | null }[]> {
  return db
    .select({ id: files.id, entryCount: files.entryCount })
    .from(sealedManifests)
    .innerJoin(files, eq(files.id, sealedManifests.transferId))
    .limit(limit);
}

/** @returns null for a plain link, and if the link has no row */
export async function findManifestRevision(db: Database, id: string): Promise<number | null> {
  const [row] = await db.select({ revision: files.manifestRevision }).from(files).where(eq(files.id, id)).limit(1);
  return row?.revision ?? null;
}

/**
 * The statements that delete a link's list of files and reported keys. In the batch, these statements follow the
 * statement that ends the upload with `status`.
 */
export function manifestDeletions(db: Database, id: string, status: "failed" | "cancelled") {
  const ended = sql`(select ${files.id} from ${files} where ${files.id} = ${id} and ${files.status} = ${status})`;
  return [
    db.delete(sealedManifests).where(sql`${sealedManifests.transferId} in ${ended}`),
    sharedKeyRemoval(db, ended),
  ] as const;
}

/** Whether a row may become ready: the link is plain, or its list of files is final. */
export const needsNoManifest = sql`(${files.seal} is null or ${files.manifestFinal})`;

/**
 * Notes that a link's list of files is replaced by the next revision. Only the link's session calls this function, one
 * call after the other. A finished link accepts only a final list.
 * @returns false when the link has ended or is another owner's, or its row has this revision or a later one
 */
export async function replaceManifest(
  db: Database,
  id: string,
  owner: OwnerKey,
  { revision, final }: PutManifest,
): Promise<boolean> {
  const [, rows] = await retryIdempotent(() =>
    db.batch([
      db
        .update(files)
        .set({ manifestRevision: revision, manifestFinal: final })
        .where(
          and(
            eq(files.id, id),
            isOwnedBy(owner),
            // The row's revision is usually the previous one, and an older one after the database was restored.
            lt(files.manifestRevision, revision),
            inArray(files.status, ["uploading", "ready"]),
            final ? undefined : isUploading,
            isNull(files.deletedAt),
            eq(files.adminDeleted, false),
            eq(files.isClaimed, false),
            or(isNull(files.expiresAt), sql`${files.expiresAt} > ${Date.now()}`),
          ),
        ),
      // Finds the new revision also in a batch that is repeated after a lost answer.
      db
        .select({ id: files.id })
        .from(files)
        .where(and(eq(files.id, id), eq(files.manifestRevision, revision))),
    ]),
  );
  return rows.length === 1;
}
