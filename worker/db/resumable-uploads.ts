import { and, desc, eq, isNull, type SQL } from "drizzle-orm";
import type { Database } from "./client.ts";
import { isUploading, type FileRow } from "./files.ts";
import { files } from "./schema.ts";

/** What tells that a file chosen now is the one whose upload broke off. */
export interface FileIdentity {
  filename: string;
  sizeBytes: number;
  lastModified: number | null;
  fingerprint: string | null;
}

/** A file may have been begun on each road, and each begun again. */
const MAX_MATCHES = 4;

/** A person's unfinished uploads of that very file, newest first. */
export async function listMatchingUploads(db: Database, userId: string, file: FileIdentity): Promise<FileRow[]> {
  return matchingUploadsQuery(db, userId, file);
}

/** The statement that finds them. */
export function matchingUploadsQuery(db: Database, userId: string, file: FileIdentity) {
  return db
    .select()
    .from(files)
    .where(and(eq(files.userId, userId), isUploading, isThatFile(file)))
    .orderBy(desc(files.createdAt))
    .limit(MAX_MATCHES);
}

function isThatFile({ filename, sizeBytes, lastModified, fingerprint }: FileIdentity): SQL | undefined {
  return and(
    eq(files.originalFilename, filename),
    eq(files.size, sizeBytes),
    lastModified === null ? isNull(files.lastModified) : eq(files.lastModified, new Date(lastModified)),
    fingerprint === null ? isNull(files.fingerprint) : eq(files.fingerprint, fingerprint),
  );
}
