import { and, eq, lte } from "drizzle-orm";
import type { Database } from "./client.ts";
import { isUploading, type FileRow } from "./files.ts";
import { retryIdempotent } from "./retries.ts";
import { files } from "./schema.ts";

export type PossiblyAbandoned = Pick<FileRow, "id" | "entryCount">;

export async function listPossiblyAbandoned(db: Database, now: number, limit: number): Promise<PossiblyAbandoned[]> {
  return db
    .select({ id: files.id, entryCount: files.entryCount })
    .from(files)
    .where(and(isUploading, lte(files.abandonAt, new Date(now))))
    .orderBy(files.abandonAt)
    .limit(limit);
}

export async function postponeAbandonment(db: Database, id: string, until: number): Promise<void> {
  await retryIdempotent(() =>
    db
      .update(files)
      .set({ abandonAt: new Date(until) })
      .where(and(eq(files.id, id), isUploading)),
  );
}
