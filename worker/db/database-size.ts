import { inArray, sql } from "drizzle-orm";
import type { DatabaseDay } from "#domain/database-fill.ts";
import type { Database } from "./client.ts";
import { outboxInsert, type DueMail } from "./mail.ts";
import { databaseDays, databaseWarnings } from "./schema.ts";

/**
 * @returns the database's size in bytes, as D1 says it, and its size at the beginning of each of the last days, newest
 * first
 */
export async function readDatabaseSize(db: Database): Promise<{ bytes: number; days: DatabaseDay[] }> {
  // Asks D1 itself: D1 answers the database's size with each query, but Drizzle passes on the rows alone.
  const { results, meta } = await db.$client
    .prepare("select day, bytes from database_days order by day desc limit 8")
    .all<DatabaseDay>();
  return { bytes: meta.size_after, days: results };
}

/** Keeps the size with which a day begins. A later call on the same day changes nothing. */
export async function saveDatabaseDay(db: Database, size: DatabaseDay): Promise<void> {
  await db.insert(databaseDays).values(size).onConflictDoNothing();
}

/** @returns the percentages of the database's limit of which the administrator was warned */
export async function listDatabaseWarnings(db: Database): Promise<number[]> {
  const rows = await db.select({ percent: databaseWarnings.percent }).from(databaseWarnings);
  return rows.map(({ percent }) => percent);
}

/**
 * Notes warnings and saves their mail.
 * @param now epoch milliseconds
 * @returns false if all of these warnings were given before
 */
export async function saveDatabaseWarnings(
  db: Database,
  percents: number[],
  mail: DueMail,
  now: number,
): Promise<boolean> {
  const [noted] = await db.batch([
    db
      .insert(databaseWarnings)
      .values(percents.map((percent) => ({ percent, at: new Date(now) })))
      .onConflictDoNothing(),
    outboxInsert(db, mail, sql`changes() > 0`, now),
  ]);
  return noted.meta.changes > 0;
}

export async function forgetDatabaseWarnings(db: Database, percents: number[]): Promise<void> {
  await db.delete(databaseWarnings).where(inArray(databaseWarnings.percent, percents));
}
