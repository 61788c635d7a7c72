import { ENTRIES_PER_PAGE } from "#domain/transfers/pages.ts";
import type { Database } from "./client.ts";

/** Reads a ready transfer's list. Hand-written SQL: see worker/db/raw.ts. */

const PAGES_FROM = "select entries from transfer_pages where file_id = ? and page >= ? order by page limit ?";

/** @param firstPage from 0 @returns each for `decodePage` */
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

/** Paths of entries of several transfers. @returns by file and entry number; none for a list that is not there */
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

/** @returns how many entries a ready transfer has, removed ones included */
export async function countEntries(db: Database, fileId: string): Promise<number> {
  const last = await db.$client.prepare(LAST_PAGE).bind(fileId).first<{ page: number; entries: number }>();
  return last === null ? 0 : last.page * ENTRIES_PER_PAGE + last.entries;
}

const DOWNLOADS_BETWEEN = "select n, count from entry_downloads where file_id = ? and n between ? and ?";

/** How often each of these entries was downloaded by itself. @returns counts above 0, by entry number */
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
