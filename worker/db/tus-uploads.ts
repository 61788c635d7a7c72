import { and, eq, isNotNull } from "drizzle-orm";
import type { Database } from "./client.ts";
import type { FileRow } from "./files.ts";
import { apiKeys, files, users } from "./schema.ts";

export interface TusUpload {
  file: FileRow;
  /** Null once the row of its key is deleted. */
  key: { id: string; expiresAt: Date | null; revokedAt: Date | null; largestFileBytes: number | null } | null;
  ownerDeletedAt: Date | null;
}

/** @param secretHash SHA-256 of the end of its address, in hex @returns null for another address */
export async function findTusUpload(db: Database, id: string, secretHash: string): Promise<TusUpload | null> {
  const [row] = await db
    .select({
      file: files,
      key: {
        id: apiKeys.id,
        expiresAt: apiKeys.expiresAt,
        revokedAt: apiKeys.revokedAt,
        largestFileBytes: apiKeys.largestFileBytes,
      },
      ownerDeletedAt: users.deletedAt,
    })
    .from(files)
    .innerJoin(users, eq(users.id, files.userId))
    .leftJoin(apiKeys, eq(apiKeys.id, files.apiKeyId))
    // Without an owner, the hash is that of a visitor's cookie.
    .where(and(eq(files.id, id), eq(files.uploadTokenHash, secretHash), isNotNull(files.userId)))
    .limit(1);
  return row ?? null;
}
