import { sql, type SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { ADMIN_COUNTED_ROWS, ADMIN_PAGE_SIZE, type Paged } from "#domain/wire.ts";
import type { Database } from "./client.ts";

export function limitAndOffset(page: number): { limit: number; offset: number } {
  return { limit: ADMIN_PAGE_SIZE, offset: (page - 1) * ADMIN_PAGE_SIZE };
}

/** Counts rows, but at most `ADMIN_COUNTED_ROWS`, so that counting a large table stays cheap. */
export function cappedCount(db: Database, table: SQLiteTable, condition: SQL | undefined) {
  const rows = db
    .select({ one: sql<number>`1`.as("one") })
    .from(table)
    .where(condition)
    .limit(ADMIN_COUNTED_ROWS)
    .as("counted");
  return db.select({ total: sql<number>`count(*)` }).from(rows);
}

/** A range condition for a prefix, which SQLite answers from an index, unlike `like`. */
export function startsWith(column: SQL, prefix: string): SQL {
  return sql`${column} >= ${prefix} and ${column} < ${`${prefix}\u{10ffff}`}`;
}

export function toPage<Item>(items: Item[], page: number | undefined, total: number): Paged<Item> {
  return { items, page: page ?? 1, pages: Math.max(1, Math.ceil(total / ADMIN_PAGE_SIZE)), total };
}
