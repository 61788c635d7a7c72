import { and, desc, eq, isNotNull, isNull, lte, type SQL } from "drizzle-orm";
import { MAX_UNFINISHED_IN_ALL } from "#domain/rate-limits.ts";
import type { Database } from "./client.ts";
import { isUploading, type FileRow } from "./files.ts";
import { files } from "./schema.ts";

/** Identifies a file on the sender's device. */
export interface FileIdentity {
  filename: string;
  sizeBytes: number;
  lastModified: number | null;
  fingerprint: string | null;
  /** Whether the upload is encrypted end to end, so that its fingerprint is keyed. */
  isSealed: boolean;
  /**
   * The API key that resumes: a key resumes only its own uploads. Null for a person, who may resume every upload of the
   * account.
   */
  apiKeyId: string | null;
}

/** A file may have one unfinished upload per transport, and each upload may have been started twice. */
const MAX_MATCHES = 4;

export async function listMatchingUploads(db: Database, userId: string, file: FileIdentity): Promise<FileRow[]> {
  return matchingUploadsQuery(db, userId, file);
}

/** Finds unfinished uploads to resume; with a start key, the upload in any state that was started with the key. */
export function matchingUploadsQuery(
  db: Database,
  userId: string,
  { startKey = null, ...file }: FileIdentity & { startKey?: string | null },
) {
  return db
    .select()
    .from(files)
    .where(
      and(
        eq(files.userId, userId),
        startKey === null
          ? and(isUploading, isNull(files.fileRequestId), isSameFile(file))
          : and(eq(files.startKey, startKey), isStartedBy(file.apiKeyId)),
      ),
    )
    .orderBy(desc(files.createdAt))
    .limit(MAX_MATCHES);
}

interface TransferIdentity extends Pick<FileIdentity, "isSealed" | "apiKeyId"> {
  fingerprint: string;
  /**
   * The hash of the sender's token: a sender resumes only the upload that has this token. Null for the owner of the
   * account, who has no token.
   */
  senderTokenHash: string | null;
}

/** Lists unfinished uploads of the same transfer, newest first. The transfer's title may differ. */
export async function listMatchingTransfers(
  db: Database,
  userId: string,
  { fingerprint, isSealed, apiKeyId, senderTokenHash }: TransferIdentity,
): Promise<FileRow[]> {
  return db
    .select()
    .from(files)
    .where(
      and(
        eq(files.userId, userId),
        isUploading,
        isNotNull(files.entryCount),
        eq(files.fingerprint, fingerprint),
        hasSeal(isSealed),
        isStartedBy(apiKeyId),
        senderTokenHash === null
          ? isNull(files.fileRequestId)
          : and(isNotNull(files.fileRequestId), eq(files.uploadTokenHash, senderTokenHash)),
      ),
    )
    .orderBy(desc(files.createdAt))
    .limit(MAX_MATCHES);
}

function hasSeal(isSealed: boolean): SQL {
  return isSealed ? isNotNull(files.seal) : isNull(files.seal);
}

function isStartedBy(apiKeyId: string | null): SQL | undefined {
  return apiKeyId === null ? undefined : eq(files.apiKeyId, apiKeyId);
}

function isSameFile(file: FileIdentity): SQL | undefined {
  const { filename, sizeBytes, lastModified, fingerprint, isSealed, apiKeyId } = file;
  return and(
    isNull(files.entryCount),
    eq(files.originalFilename, filename),
    eq(files.size, sizeBytes),
    lastModified === null ? isNull(files.lastModified) : eq(files.lastModified, new Date(lastModified)),
    fingerprint === null ? isNull(files.fingerprint) : eq(files.fingerprint, fingerprint),
    hasSeal(isSealed),
    isStartedBy(apiKeyId),
  );
}

/** @param startKey the `Idempotency-Key` of a start with this API key within the last day */
export async function findByStartKey(db: Database, apiKeyId: string, startKey: string): Promise<FileRow | null> {
  const [row] = await db
    .select()
    .from(files)
    .where(and(eq(files.apiKeyId, apiKeyId), eq(files.startKey, startKey)));
  return row ?? null;
}

/** Deletes start keys of uploads created up to `before` (epoch milliseconds). */
export async function forgetStartKeys(db: Database, before: number): Promise<void> {
  await db
    .update(files)
    .set({ startKey: null, startDigest: null })
    .where(and(isNotNull(files.startKey), lte(files.createdAt, new Date(before))));
}

/** Lists a person's unfinished uploads, newest first. @param apiKeyId null for all, else uploads of one API key */
export async function listUnfinishedFiles(
  db: Database,
  userId: string,
  apiKeyId: string | null = null,
): Promise<FileRow[]> {
  return db
    .select()
    .from(files)
    .where(and(eq(files.userId, userId), isUploading, isNull(files.fileRequestId), isStartedBy(apiKeyId)))
    .orderBy(desc(files.createdAt))
    .limit(MAX_UNFINISHED_IN_ALL);
}
