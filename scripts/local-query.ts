export type Value = string | number | null;

interface QueryResponse {
  result: { results: { columns: string[]; rows: Value[][] } }[];
}

/**
 * Runs SQL through the local D1 explorer of `wrangler dev`: a second process that opens the SQLite file would lock
 * out the server.
 * @param origin of the server
 * @returns the rows
 */
export async function queryLocally(sql: string, origin: string): Promise<Record<string, Value>[]> {
  const url = `${origin}/cdn-cgi/local/explorer/api/d1/database/mayfly/raw`;
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ sql }),
  });
  if (!response.ok) throw new Error(`the database answered ${response.status}: ${await response.text()}`);
  const { result } = JSON.parse(await response.text()) as QueryResponse;
  const { columns, rows } = result[0]?.results ?? { columns: [], rows: [] };
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])));
}
