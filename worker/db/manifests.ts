import { and, eq, inArray, isNull, or, sql } from "drizzle-orm";
import type { PutManifest } from "#domain/wire.ts";
import type { Database } from "./client.ts";
import { isOwnedBy, isUploading, sharedKeyRemoval, type OwnerKey } from "./files.ts";
import { atPrimary } from "./replicas.ts";
import { retryIdempotent } from "./retries.ts";
import { files, sealedManifests } from "./schema.ts";

/** The newest encrypted list of files of each encrypted link. */

export interface StoredManifest {
  revision: number;
  final: boolean;
  /** The encrypted list as base64url. */
  body: string;
}

/** Reads a link's list at the primary database. @returns null for a plain link, and once its bytes are deleted */
export async function readManifest(db: Database, id: string): Promise<StoredManifest | null> {
  const [row] = await atPrimary(() =>
    db
      .select({ revision: sealedManifests.revision, final: files.manifestFinal, body: sealedManifests.body })
      .from(sealedManifests)
      .innerJoin(files, eq(files.id, sealedManifests.transferId))
      .where(eq(sealedManifests.transferId, id))
      .limit(1),
  );
  return row ?? null;
}

/** Inserts a link's first list of files, after the statement for the link's row. @returns nothing for a plain link */
export function manifestInserts(db: Database, { id, manifest }: { id: string; manifest: string | null }) {
  if (manifest === null) return [];
  // Without a row in `files`, which the owner's limits may prevent, inserts nothing.
  const first = sql`select ${files.id}, 0, ${manifest} from ${files} where ${files.id} = ${id}`;
  return [db.insert(sealedManifests).select(first)];
}

/** Deletes a link's list of files and reported keys, after the batch's statement that ends the upload with `status`. */
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
 * Replaces a link's list of files by the next revision. A finished link accepts only a final list.
 * @returns false when `revision` is not the next one, or the link has ended or is another owner's
 */
export async function replaceManifest(
  db: Database,
  id: string,
  owner: OwnerKey,
  { revision, final, body }: PutManifest,
): Promise<boolean> {
  const wasTaken = sql`exists (select 1 from ${files} where ${files.id} = ${id} and ${files.manifestRevision} = ${revision})`;
  const [, replaced] = await retryIdempotent(() =>
    db.batch([
      db
        .update(files)
        .set({ manifestRevision: revision, manifestFinal: final })
        .where(
          and(
            eq(files.id, id),
            isOwnedBy(owner),
            eq(files.manifestRevision, revision - 1),
            inArray(files.status, ["uploading", "ready"]),
            final ? undefined : isUploading,
            isNull(files.deletedAt),
            eq(files.adminDeleted, false),
            eq(files.isClaimed, false),
            or(isNull(files.expiresAt), sql`${files.expiresAt} > ${Date.now()}`),
          ),
        ),
      db
        .update(sealedManifests)
        .set({ revision, body })
        .where(and(eq(sealedManifests.transferId, id), eq(sealedManifests.revision, revision - 1), wasTaken)),
    ]),
  );
  return replaced.meta.changes === 1;
}
