import { getTableColumns, type InferSelectModel } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "./client.ts";

/**
 * Asks for one whole row by a text that drizzle has written once: writing it anew takes a millisecond, which is most of
 * what a download costs.
 * @param text a `select` of every column of the table, in its order
 * @returns the row, and whether the primary has answered
 */
export async function findWholeRow<Table extends SQLiteTable>(
  db: Database,
  table: Table,
  text: string,
  values: unknown[],
): Promise<{ row: InferSelectModel<Table> | null; fromPrimary: boolean }> {
  const { results, meta } = await db.$client
    .prepare(text)
    .bind(...values)
    .all();
  const fromPrimary = meta.served_by_primary ?? true;
  const [found] = results;
  if (!found) return { row: null, fromPrimary };
  const cells = Object.values(found);
  const columns = Object.entries(getTableColumns(table)).map(([name, column], index) => {
    const value = cells[index];
    return [name, value === null ? null : column.mapFromDriverValue(value)] as const;
  });
  return { row: Object.fromEntries(columns) as InferSelectModel<Table>, fromPrimary };
}
