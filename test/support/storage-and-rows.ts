import { env } from "cloudflare:workers";
import { change } from "./worker.ts";

/** The keys of everything in storage, sorted; at most 1,000. */
export async function storedKeys(prefix = ""): Promise<string[]> {
  return (await env.BUCKET.list({ prefix })).objects.map(({ key }) => key);
}

/** Empties storage, and the tables of files and of the reconciliation. */
export async function emptyStorageAndTables(): Promise<void> {
  for (const table of ["files", "reconciliations", "reconciliation_findings", "suspected_orphans"]) {
    await change(`delete from ${table}`);
  }
  for (let stored = await storedKeys(); stored.length > 0; stored = await storedKeys()) await env.BUCKET.delete(stored);
}

/** Stores so many objects of one byte: "files/<name>0001" and on. @returns their keys */
export async function addObjects(name: string, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, (_, index) => `files/${name}${String(index + 1).padStart(4, "0")}`);
  await Promise.all(keys.map((key) => env.BUCKET.put(key, "x")));
  return keys;
}

/** Adds a row for each key: a finished file of one byte that never expires. */
export async function addRowsFor(keys: string[]): Promise<void> {
  await change(
    `insert into files (id, filename, original_filename, size, mime_type, s3_key, download_id, status, expiration,
       created_at, uploaded_at, etag, reserved_period_start, abandon_at)
     select substr(value, 7), 'f', 'f', 1, 'text/plain', value, value, 'ready', 'never', 0, 0, 'e', 0, 0
     from json_each(?)`,
    JSON.stringify(keys),
  );
}
