import { getTableColumns, type InferSelectModel } from "drizzle-orm";
import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { sessionAwareBinding } from "./replicas.ts";
import { withRetries } from "./retries.ts";
import * as schema from "./schema.ts";

/** `$client` is for hot queries, where building the SQL with Drizzle costs too much (see `findRowBySql`). */
export type Database = DrizzleD1Database<typeof schema> & { $client: D1Database };

const cache = new WeakMap<D1Database, Database>();

/**
 * The opened database is cached per binding: Drizzle processes the whole schema at each opening, and every Durable
 * Object opens the database.
 */
export function openDatabase(binding: D1Database): Database {
  const cached = cache.get(binding);
  if (cached) return cached;
  const database = drizzle(withRetries(sessionAwareBinding(binding)), { schema, casing: "snake_case" });
  cache.set(binding, database);
  return database;
}

/**
 * Runs handwritten SQL, because generating SQL with Drizzle takes about a millisecond, most of a download's CPU time.
 * @param sqlText selects every column in the schema's order @returns `fromPrimary`: the primary answered, not a replica
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
