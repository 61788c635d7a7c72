import { getTableColumns, type InferSelectModel } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "./client.ts";

/**
 * Generating SQL with Drizzle takes about a millisecond, most of the CPU time of a download. `sqlText` selects every
 * column, in the schema's order. `fromPrimary` tells whether the primary answered, not a replica.
 */
export async function findRowBySql<Table extends SQLiteTable>(
  db: Database,
  table: Table,
  sqlText: string,
  values: unknown[],
): Promise<{ row: InferSelectModel<Table> | null; fromPrimary: boolean }> {
  const { results, meta } = await db.$client
    .prepare(sqlText)
    .bind(...values)
    .all();
  const fromPrimary = meta.served_by_primary ?? true;
  const [result] = results;
  if (!result) return { row: null, fromPrimary };
  const cells = Object.values(result);
  const columns = Object.entries(getTableColumns(table)).map(([name, column], index) => {
    const value = cells[index];
    return [name, value === null ? null : column.mapFromDriverValue(value)] as const;
  });
  return { row: Object.fromEntries(columns) as InferSelectModel<Table>, fromPrimary };
}
