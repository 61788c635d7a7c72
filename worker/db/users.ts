import { eq } from "drizzle-orm";
import type { Database } from "./client.ts";
import { users } from "./schema.ts";

/** Whether somebody has registered that address (lower case). */
export async function emailExists(db: Database, email: string): Promise<boolean> {
  const rows = await db.select({ id: users.id }).from(users).where(eq(users.email, email)).limit(1);
  return rows.length > 0;
}

/** What a person has taken from their billing month. Bytes and finished or reserved uploads. */
export interface MonthTotals {
  bytes: number;
  transfers: number;
}

/** The month's totals of that person, or null. */
export async function findMonthTotals(db: Database, id: string): Promise<MonthTotals | null> {
  const [row] = await db
    .select({ bytes: users.monthlyUploadTotal, transfers: users.monthlyTransferCount })
    .from(users)
    .where(eq(users.id, id))
    .limit(1);
  return row ?? null;
}
