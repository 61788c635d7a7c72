import { sql } from "drizzle-orm";
import type { Database } from "./client.ts";

/** @throws Error when the database does not answer */
export async function pingDatabase(db: Database): Promise<void> {
  await db.run(sql`select 1`);
}
