import { sql, type SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { ADMIN_COUNTED_ROWS, ADMIN_PAGE_SIZE } from "#domain/wire.ts";
import type { Database } from "./client.ts";

/** How many rows one page of the admin area holds, and how many come before it. */
export function windowOf(page: number): { limit: number; offset: number } {
  return { limit: ADMIN_PAGE_SIZE, offset: (page - 1) * ADMIN_PAGE_SIZE };
}

/** Counts rows, as far as anybody can page through them: a list of a million costs no more than one of ten thousand. */
export function countUpTo(db: Database, table: SQLiteTable, condition: SQL | undefined) {
  const rows = db
    .select({ one: sql<number>`1`.as("one") })
    .from(table)
    .where(condition)
    .limit(ADMIN_COUNTED_ROWS)
    .as("counted");
  return db.select({ total: sql<number>`count(*)` }).from(rows);
}

/** Texts that begin with `start`, as a range of an index. */
export function beginsWith(column: SQL, start: string): SQL {
  return sql`${column} >= ${start} and ${column} < ${`${start}\u{10ffff}`}`;
}
