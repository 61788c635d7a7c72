import type { LocalServer } from "../../scripts/local-server.ts";

const ADDED_AT_ONCE = 100_000;

/**
 * Adds rows of finished one-byte files, without objects, to a stopped server.
 * @param letter the prefix of the files' names, which are ids and ends of keys: `e1`, `e2` …
 * @param expiresAt epoch milliseconds, or null for never
 * @param from the number before that of the first row
 */
export async function addFileRows(
  server: LocalServer,
  letter: string,
  rows: number,
  expiresAt: number | null,
  from = 0,
): Promise<void> {
  for (let after = from; after < from + rows; after += ADDED_AT_ONCE) {
    const last = Math.min(from + rows, after + ADDED_AT_ONCE);
    await server.execute(`with recursive n(i) as (select ${after + 1} union all select i + 1 from n where i < ${last})
      insert into files (id, filename, original_filename, size, mime_type, s3_key, download_id, status, expiration,
        created_at, uploaded_at, expires_at, etag, reserved_period_start, abandon_at)
      select '${letter}' || i, 'f', 'f', 1, 'text/plain', 'files/${letter}' || i, '${letter}' || i, 'ready', '1d', 0, 0,
        ${expiresAt}, 'e', 0, 0 from n`);
  }
}

/** The number of expired files that the sweep has not claimed. */
export async function countOverdue(server: LocalServer): Promise<number> {
  const [row] = await server.execute<{ n: number }>(
    `select count(*) as n from files where expires_at <= ${Date.now()} and s3_deleted_at is null`,
  );
  return row?.n ?? NaN;
}
