import { and, eq, inArray, sql, type SQL } from "drizzle-orm";
import { encodeHash, encodeSource, ENTRIES_PER_PAGE, STORED_INDEX } from "#domain/transfers/pages.ts";
import type { Database } from "./client.ts";
import { retryIdempotent } from "./retries.ts";
import { files, transferPages } from "./schema.ts";
import { nextZipDate } from "./transfers.ts";

/** What the server has computed from an entry's stored bytes. */
export interface VerifiedSum {
  n: number;
  crc32: number;
  /** Hex. */
  sha256: string;
}

/** For sums that leave the ZIP as it is. Idempotent. */
export async function saveSums(db: Database, fileId: string, sums: VerifiedSum[]): Promise<void> {
  const [first, ...others] = sums.map((sum) => sumUpdate(db, fileId, sum, sql`true`));
  if (first) await retryIdempotent(() => db.batch([first, ...others]));
}

/**
 * For sums that change the ZIP. Idempotent.
 * @param zip its ETag before and after, unquoted @param now epoch milliseconds
 * @returns false when the list has changed meanwhile, or the row is gone; nothing is written then
 */
export async function saveCorrectedSums(
  db: Database,
  fileId: string,
  sums: VerifiedSum[],
  zip: { etagBefore: string; etag: string },
  now: number,
): Promise<boolean> {
  const isUnchanged = and(eq(files.id, fileId), eq(files.etag, zip.etagBefore));
  const ifUnchanged = sql`exists (select 1 from ${files} where ${isUnchanged})`;
  const [rows] = await retryIdempotent(() =>
    db.batch([
      // Also true of a repetition after a lost answer.
      db
        .select({ id: files.id })
        .from(files)
        .where(and(eq(files.id, fileId), inArray(files.etag, [zip.etagBefore, zip.etag]))),
      ...sums.map((sum) => sumUpdate(db, fileId, sum, ifUnchanged)),
      // Last, because it changes the ETag that the condition compares.
      db
        .update(files)
        .set({ etag: zip.etag, zipChangedAt: nextZipDate(now) })
        .where(isUnchanged),
    ]),
  );
  return rows.length === 1;
}

function sumUpdate(db: Database, fileId: string, { n, crc32, sha256 }: VerifiedSum, condition: SQL) {
  const place = (field: "crc32" | "sha256" | "crcSource") => `$[${n % ENTRIES_PER_PAGE}][${STORED_INDEX[field]}]`;
  const entries = sql`json_set(${transferPages.entries}, ${place("sha256")}, ${encodeHash(sha256)},
    ${place("crc32")}, cast(${crc32} as integer), ${place("crcSource")}, cast(${encodeSource("server")} as integer))`;
  return db
    .update(transferPages)
    .set({ entries })
    .where(and(eq(transferPages.fileId, fileId), eq(transferPages.page, Math.floor(n / ENTRIES_PER_PAGE)), condition));
}
