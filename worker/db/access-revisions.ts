import { and, sql, type SQL } from "drizzle-orm";
import type { Database } from "./client.ts";
import { users } from "./schema.ts";

/** For the batch that ends or replaces a way in, a second factor or trust: ends the sign-ins that have begun. */
export function raiseAccessRevision(db: Database, userId: SQL, condition?: SQL) {
  return db
    .update(users)
    .set({ accessRevision: sql`${users.accessRevision} + 1` })
    .where(and(sql`${users.id} = ${userId}`, condition));
}

/** Whether a living account has the same revision as when its sign-in began. */
export function hasAccessRevision(userId: string, revision: number): SQL {
  return sql`exists (select 1 from ${users} where ${users.id} = ${userId} and ${users.deletedAt} is null
    and ${users.accessRevision} = ${revision})`;
}
