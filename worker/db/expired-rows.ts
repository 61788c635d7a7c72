import { lte, sql } from "drizzle-orm";
import type { Database } from "./client.ts";
import { emailChanges, sessions, steps, verifications } from "./schema.ts";

/** Of people who sign in: what opens nothing once it has run out. @param now epoch milliseconds @param limit per table */
export async function deleteExpiredRows(db: Database, now: number, limit: number): Promise<void> {
  for (const table of [sessions, verifications, steps, emailChanges]) {
    const rowid = sql`${table}.rowid`;
    const expired = db
      .select({ rowid })
      .from(table)
      .where(lte(table.expiresAt, new Date(now)))
      .orderBy(table.expiresAt)
      .limit(limit);
    await db.delete(table).where(sql`${rowid} in ${expired}`);
  }
}
