import { and, eq, inArray, isNotNull } from "drizzle-orm";
import type { Database } from "./client.ts";
import type { FileRow } from "./files.ts";
import { apiKeys, files, uploadRequests, users } from "./schema.ts";

export interface TusUpload {
  file: FileRow;
  /** Null once the row of its key is deleted. */
  key: { id: string; expiresAt: Date | null; revokedAt: Date | null; largestFileBytes: number | null } | null;
  /** Null for an upload of a key, and once the request is deleted. */
  request: { mostFileBytes: number | null; kinds: string[] | null; origins: string[] } | null;
  ownerDeletedAt: Date | null;
}

/** @param hashes of its address: it has one of them @returns null for another address */
export async function findTusUpload(db: Database, id: string, hashes: string[]): Promise<TusUpload | null> {
  const [row] = await db
    .select({
      file: files,
      key: {
        id: apiKeys.id,
        expiresAt: apiKeys.expiresAt,
        revokedAt: apiKeys.revokedAt,
        largestFileBytes: apiKeys.largestFileBytes,
      },
      request: {
        mostFileBytes: uploadRequests.mostFileBytes,
        kinds: uploadRequests.kinds,
        origins: uploadRequests.origins,
      },
      ownerDeletedAt: users.deletedAt,
    })
    .from(files)
    .innerJoin(users, eq(users.id, files.userId))
    .leftJoin(apiKeys, eq(apiKeys.id, files.apiKeyId))
    .leftJoin(uploadRequests, eq(uploadRequests.id, files.fileRequestId))
    // Without an owner, the hash is that of a visitor's cookie.
    .where(and(eq(files.id, id), inArray(files.uploadTokenHash, hashes), isNotNull(files.userId)))
    .limit(1);
  return row ?? null;
}
