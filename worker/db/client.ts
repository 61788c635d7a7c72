import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import { withRetries } from "./faults.ts";
import * as schema from "./schema.ts";

export type Database = DrizzleD1Database<typeof schema>;

/** Drizzle over a D1 binding that outlives passing faults. Columns are snake_case in the database, camelCase in code. */
export function openDatabase(binding: D1Database): Database {
  return drizzle(withRetries(binding), { schema, casing: "snake_case" });
}
