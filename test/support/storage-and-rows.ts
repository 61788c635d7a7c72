import { env } from "cloudflare:workers";
import { runSql } from "./worker.ts";

/** At most 1,000 keys, sorted. */
export async function storedKeys(prefix = ""): Promise<string[]> {
  return (await env.BUCKET.list({ prefix })).objects.map(({ key }) => key);
}

/** Deletes all objects, and the rows of files and reconciliations. */
export async function emptyStorageAndTables(): Promise<void> {
  for (const table of ["files", "reconciliations", "reconciliation_findings", "suspected_orphans"]) {
    await runSql(`delete from ${table}`);
  }
  for (let stored = await storedKeys(); stored.length > 0; stored = await storedKeys()) await env.BUCKET.delete(stored);
}

/** Stores objects of one byte as files/<name>0001, files/<name>0002, … @returns their keys */
export async function addObjects(name: string, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, (_, index) => `files/${name}${String(index + 1).padStart(4, "0")}`);
  await Promise.all(keys.map((key) => env.BUCKET.put(key, "x")));
  return keys;
}

/** Adds a row for each key: a finished file of one byte that never expires. */
export async function addRowsFor(keys: string[]): Promise<void> {
  await runSql(
    `insert into files (id, filename, original_filename, size, mime_type, s3_key, download_id, status, expiration,
       created_at, uploaded_at, etag, reserved_period_start, abandon_at)
     select substr(value, 7), 'f', 'f', 1, 'text/plain', value, value, 'ready', 'never', 0, 0, 'e', 0, 0
     from json_each(?)`,
    JSON.stringify(keys),
  );
}
