import { and, eq, sql, type SQL, inArray } from "drizzle-orm";
import {
  ENTRIES_PER_PAGE,
  encodePage,
  type Entry,
  encodeHash,
  encodeSource,
  STORED_INDEX,
} from "#domain/transfers/pages.ts";
import type { Database } from "./client.ts";
import { isUploading } from "./files.ts";
import { retryIdempotent } from "./retries.ts";
import { files, transferPages } from "./schema.ts";

/** Pages per batch of statements, about 300 KB. */
const PAGES_PER_BATCH = 20;

/** Writes the entries of a transfer that is still uploading. Idempotent. @param entries all, sorted by their numbers */
export async function saveTransferPages(db: Database, fileId: string, entries: Entry[]): Promise<void> {
  const pages = Array.from({ length: Math.ceil(entries.length / ENTRIES_PER_PAGE) }, (_, page) => page);
  const batches = Array.from({ length: Math.ceil(pages.length / PAGES_PER_BATCH) }, async (_, index) => {
    const [first, ...others] = pages.slice(index * PAGES_PER_BATCH, (index + 1) * PAGES_PER_BATCH).map((page) => {
      const encoded = encodePage(entries.slice(page * ENTRIES_PER_PAGE, (page + 1) * ENTRIES_PER_PAGE));
      return db
        .insert(transferPages)
        .select(
          sql`select ${files.id}, ${page}, ${encoded} from ${files} where ${files.id} = ${fileId} and ${isUploading}`,
        )
        .onConflictDoUpdate({
          target: [transferPages.fileId, transferPages.page],
          set: { entries: sql`excluded.entries` },
        });
    });
    if (first) await retryIdempotent(() => db.batch([first, ...others]));
  });
  await Promise.all(batches);
}

/** Deletes the stored entries of a transfer. Idempotent. */
export async function deleteTransferPages(db: Database, fileId: string): Promise<void> {
  await retryIdempotent(() => db.delete(transferPages).where(eq(transferPages.fileId, fileId)));
}

/** A changed ZIP's date, later than before, in whole seconds as in HTTP (RFC 9110). @param now epoch milliseconds */
export function nextZipDate(now: number): SQL {
  return sql`max(${now}, (${files.zipChangedAt} / 1000 + 1) * 1000)`;
}

/** Queries on the entries of ready transfers. The SQL is handwritten for speed: see worker/db/client.ts. */

const PAGES_FROM = "select entries from transfer_pages where file_id = ? and page >= ? order by page limit ?";

/** @param firstPage from 0 @returns pages for `decodePage` */
export async function readTransferPages(
  db: Database,
  fileId: string,
  { firstPage, count }: { firstPage: number; count: number },
): Promise<string[]> {
  const { results } = await db.$client.prepare(PAGES_FROM).bind(fileId, firstPage, count).all<{ entries: string }>();
  return results.map(({ entries }) => entries);
}

const PATHS_OF = `
  select pages.file_id as fileId, asked.n as n,
    json_extract(pages.entries, '$[' || (asked.n % ${ENTRIES_PER_PAGE}) || '][0]') as path
  from (select value ->> '$[0]' as file_id, value ->> '$[1]' as n from json_each(?)) as asked
  join transfer_pages as pages on pages.file_id = asked.file_id and pages.page = asked.n / ${ENTRIES_PER_PAGE}`;

/** Reads paths of entries. @returns paths by file and entry number; none for a transfer without a list of entries */
export async function readEntryPaths(
  db: Database,
  entries: readonly { fileId: string; n: number }[],
): Promise<Map<string, Map<number, string>>> {
  const paths = new Map<string, Map<number, string>>();
  if (entries.length === 0) return paths;
  const asked = JSON.stringify(entries.map(({ fileId, n }) => [fileId, n]));
  const { results } = await db.$client
    .prepare(PATHS_OF)
    .bind(asked)
    .all<{ fileId: string; n: number; path: string | null }>();
  for (const { fileId, n, path } of results) {
    if (path !== null) paths.set(fileId, (paths.get(fileId) ?? new Map<number, string>()).set(n, path));
  }
  return paths;
}

const LAST_PAGE = `
  select page, json_array_length(entries) as entries from transfer_pages where file_id = ? order by page desc limit 1`;

/** @returns the number of entries of a ready transfer, removed entries included */
export async function countEntries(db: Database, fileId: string): Promise<number> {
  const last = await db.$client.prepare(LAST_PAGE).bind(fileId).first<{ page: number; entries: number }>();
  return last === null ? 0 : last.page * ENTRIES_PER_PAGE + last.entries;
}

const DOWNLOADS_BETWEEN = "select n, count from entry_downloads where file_id = ? and n between ? and ?";

/** How often each entry from `first` to `last` was downloaded by itself. @returns counts above 0, by entry number */
export async function readEntryDownloads(
  db: Database,
  fileId: string,
  { first, last }: { first: number; last: number },
): Promise<Map<number, number>> {
  const { results } = await db.$client
    .prepare(DOWNLOADS_BETWEEN)
    .bind(fileId, first, last)
    .all<{ n: number; count: number }>();
  return new Map(results.map(({ n, count }) => [n, count]));
}

/** The sums that the server has computed from an entry's stored bytes. */
export interface VerifiedSum {
  n: number;
  crc32: number;
  /** The SHA-256 in hex. */
  sha256: string;
}

/** Saves sums that do not change the ZIP. Idempotent. */
export async function saveSums(db: Database, fileId: string, sums: VerifiedSum[]): Promise<void> {
  const [first, ...others] = sums.map((sum) => sumUpdate(db, fileId, sum, sql`true`));
  if (first) await retryIdempotent(() => db.batch([first, ...others]));
}

/**
 * Saves sums that change the ZIP. Idempotent.
 * @param zip its unquoted ETag before and after @param now epoch milliseconds
 * @returns false, with nothing written, when the list of entries has changed meanwhile, or the row is gone
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
      // Also finds the row when the batch is repeated after a lost answer.
      db
        .select({ id: files.id })
        .from(files)
        .where(and(eq(files.id, fileId), inArray(files.etag, [zip.etagBefore, zip.etag]))),
      ...sums.map((sum) => sumUpdate(db, fileId, sum, ifUnchanged)),
      // Comes last, because this update changes the ETag that the condition compares.
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
