import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import { withRetries } from "./retries.ts";
import { sessionAwareBinding } from "./replicas.ts";
import * as schema from "./schema.ts";

/** `$client` is for hot queries, where building the SQL with Drizzle costs too much (see worker/db/raw.ts). */
export type Database = DrizzleD1Database<typeof schema> & { $client: D1Database };

const cache = new WeakMap<D1Database, Database>();

/** Cached per binding: Drizzle processes the whole schema each time, and every Durable Object opens the database. */
export function openDatabase(binding: D1Database): Database {
  const cached = cache.get(binding);
  if (cached) return cached;
  const database = drizzle(withRetries(sessionAwareBinding(binding)), { schema, casing: "snake_case" });
  cache.set(binding, database);
  return database;
}
