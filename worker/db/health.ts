import { sql } from "drizzle-orm";
import type { Database } from "./client.ts";

/** Asks the database for a one: it answers, or throws. */
export async function pingDatabase(db: Database): Promise<void> {
  await db.run(sql`select 1`);
}
