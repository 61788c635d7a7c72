import { sql, type SQL } from "drizzle-orm";
import { integer, text, type AnySQLiteColumn } from "drizzle-orm/sqlite-core";

export const id = () =>
  text()
    .primaryKey()
    .$defaultFn(() => crypto.randomUUID());
/** Epoch milliseconds. */
export const timestamp = () => integer({ mode: "timestamp_ms" });
export const flag = () => integer({ mode: "boolean" }).notNull().default(false);
export const createdAt = () =>
  timestamp()
    .notNull()
    .$defaultFn(() => new Date());
export const updatedAt = () =>
  timestamp()
    .notNull()
    .$defaultFn(() => new Date())
    .$onUpdateFn(() => new Date());

/**
 * The SQL condition of a CHECK constraint for an enum column. Lists that grow, such as plans and expiry choices, get no
 * CHECK, because SQLite changes a CHECK only by rebuilding the table.
 */
export function oneOf(column: AnySQLiteColumn, values: readonly string[]): SQL {
  return sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(", "))})`;
}
