import { and, desc, eq, isNotNull, isNull, type SQL } from "drizzle-orm";
import type { Database } from "./client.ts";
import { isUploading, type FileRow } from "./files.ts";
import { files } from "./schema.ts";

/** Identifies a file on the sender's device. */
export interface FileIdentity {
  filename: string;
  sizeBytes: number;
  lastModified: number | null;
  fingerprint: string | null;
  /** Encrypted end to end: its fingerprint is keyed. */
  isSealed: boolean;
}

/** A file may have one unfinished upload per transport, and each may have been started twice. */
const MAX_MATCHES = 4;

export async function listMatchingUploads(db: Database, userId: string, file: FileIdentity): Promise<FileRow[]> {
  return matchingUploadsQuery(db, userId, file);
}

export function matchingUploadsQuery(db: Database, userId: string, file: FileIdentity) {
  return db
    .select()
    .from(files)
    .where(and(eq(files.userId, userId), isUploading, isSameFile(file)))
    .orderBy(desc(files.createdAt))
    .limit(MAX_MATCHES);
}

/** Newest first. A transfer is the same whatever its title. */
export async function listMatchingTransfers(
  db: Database,
  userId: string,
  { fingerprint, isSealed }: Pick<FileIdentity, "isSealed"> & { fingerprint: string },
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
      ),
    )
    .orderBy(desc(files.createdAt))
    .limit(MAX_MATCHES);
}

function hasSeal(isSealed: boolean): SQL {
  return isSealed ? isNotNull(files.seal) : isNull(files.seal);
}

function isSameFile({ filename, sizeBytes, lastModified, fingerprint, isSealed }: FileIdentity): SQL | undefined {
  return and(
    isNull(files.entryCount),
    eq(files.originalFilename, filename),
    eq(files.size, sizeBytes),
    lastModified === null ? isNull(files.lastModified) : eq(files.lastModified, new Date(lastModified)),
    fingerprint === null ? isNull(files.fingerprint) : eq(files.fingerprint, fingerprint),
    hasSeal(isSealed),
  );
}

/** Above every plan's limit on unfinished uploads. */
const MAX_UNFINISHED_LISTED = 100;

/** Newest first. */
export async function listUnfinishedFiles(db: Database, userId: string): Promise<FileRow[]> {
  return db
    .select()
    .from(files)
    .where(and(eq(files.userId, userId), isUploading))
    .orderBy(desc(files.createdAt))
    .limit(MAX_UNFINISHED_LISTED);
}
