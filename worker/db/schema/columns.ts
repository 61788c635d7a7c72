import { sql, type SQL } from "drizzle-orm";
import { integer, text, type AnySQLiteColumn } from "drizzle-orm/sqlite-core";

/** A random UUID. */
export const id = () =>
  text()
    .primaryKey()
    .$defaultFn(() => crypto.randomUUID());
/** Epoch milliseconds. */
export const moment = () => integer({ mode: "timestamp_ms" });
/** A boolean that is false at first. */
export const flag = () => integer({ mode: "boolean" }).notNull().default(false);
/** When the row was written. */
export const createdAt = () =>
  moment()
    .notNull()
    .$defaultFn(() => new Date());
/** When the row was last changed. */
export const updatedAt = () =>
  moment()
    .notNull()
    .$defaultFn(() => new Date())
    .$onUpdateFn(() => new Date());

/** A check that the database makes too. */
export function oneOf(column: AnySQLiteColumn, values: readonly string[]): SQL {
  return sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(", "))})`;
}
