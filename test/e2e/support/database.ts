type Value = string | number | null;

interface Answer {
  result: { results: { columns: string[]; rows: Value[][] } }[];
}

/**
 * Runs SQL on a running server's D1, through the runtime's own door for developers: a second process at the same
 * SQLite file would lock the server out.
 * @param origin the server's; the usual one's where it is left out
 * @returns the rows
 */
export async function query(sql: string, origin = process.env.E2E_ORIGIN ?? ""): Promise<Record<string, Value>[]> {
  const database = `${origin}/cdn-cgi/local/explorer/api/d1/database/mayfly/raw`;
  const response = await fetch(database, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ sql }),
  });
  if (!response.ok) throw new Error(`the database answered ${response.status}: ${await response.text()}`);
  const { result } = JSON.parse(await response.text()) as Answer;
  const { columns, rows } = result[0]?.results ?? { columns: [], rows: [] };
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])));
}
