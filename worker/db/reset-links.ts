import { and, eq, sql } from "drizzle-orm";
import type { Database } from "./client.ts";
import { users, verifications } from "./schema.ts";

/** How better-auth keeps a reset token: `value` is the person's id, `identifier` the token behind this prefix. */
const PREFIX = "reset-password:";

/** What `verifications` calls a reset token. */
export function resetIdentifier(token: string): string {
  return `${PREFIX}${token}`;
}

/**
 * The statement that deletes a person's unused reset links if their address is `email`: for the batch that has just
 * changed it to that.
 */
export function deleteResetLinks(db: Database, userId: string, email: string) {
  return db.delete(verifications).where(and(eq(verifications.value, userId), hasAddress(userId, email)));
}

/**
 * Checks a reset link that is about to be mailed: if the person's address is no longer `email`, all of their reset
 * links are deleted.
 * @returns whether the link still works
 */
export async function checkResetLink(db: Database, userId: string, email: string, token: string): Promise<boolean> {
  const [, links] = await db.batch([
    db.delete(verifications).where(and(eq(verifications.value, userId), sql`not ${hasAddress(userId, email)}`)),
    db
      .select({ id: verifications.id })
      .from(verifications)
      .where(eq(verifications.identifier, resetIdentifier(token)))
      .limit(1),
  ]);
  return links.length > 0;
}

function hasAddress(userId: string, email: string) {
  return sql`exists (select 1 from ${users} where ${users.id} = ${userId} and ${users.email} = ${email})`;
}
