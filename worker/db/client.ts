import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import { withRetries } from "./retries.ts";
import { inSessions } from "./replicas.ts";
import * as schema from "./schema.ts";

/** `$client` is for the few queries that are asked so often that drizzle's own work would show (worker/db/raw.ts). */
export type Database = DrizzleD1Database<typeof schema> & { $client: D1Database };

const opened = new WeakMap<D1Database, Database>();

/**
 * Drizzle over a D1 binding that outlives passing faults. Columns are snake_case in the database, camelCase in code.
 * It is made once for each binding: Drizzle goes through the whole schema for it, and every upload's object asks anew.
 */
export function openDatabase(binding: D1Database): Database {
  const known = opened.get(binding);
  if (known) return known;
  const database = drizzle(withRetries(inSessions(binding)), { schema, casing: "snake_case" });
  opened.set(binding, database);
  return database;
}
