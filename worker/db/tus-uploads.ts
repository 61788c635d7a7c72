import { and, eq, inArray, isNotNull } from "drizzle-orm";
import type { Database } from "./client.ts";
import type { FileRow } from "./files.ts";
import { apiKeys, files, uploadRequests, users } from "./schema.ts";

export interface TusUpload {
  file: FileRow;
  /** The upload's API key. Null once the key's row is deleted. */
  key: { id: string; expiresAt: Date | null; revokedAt: Date | null; largestFileBytes: number | null } | null;
  /** The upload request. Null for an upload by an API key, and once the request is deleted. */
  request: { mostFileBytes: number | null; kinds: string[] | null; origins: string[] } | null;
  ownerDeletedAt: Date | null;
}

/**
 * @param hashes hashes of the secret in the address, one of which the row must have
 * @returns null when there is no such row
 */
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
    // Requires an owner, because in a row without an owner the hash belongs to a visitor's cookie.
    .where(and(eq(files.id, id), inArray(files.uploadTokenHash, hashes), isNotNull(files.userId)))
    .limit(1);
  return row ?? null;
}
