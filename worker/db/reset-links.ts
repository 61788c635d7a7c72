import { and, eq, sql } from "drizzle-orm";
import type { Database } from "./client.ts";
import { users, verifications } from "./schema.ts";

/** The statement that deletes a user's reset links if their address is `email`, for the batch that changes it. */
export function deleteResetLinks(db: Database, userId: string, email: string) {
  return db.delete(verifications).where(and(eq(verifications.value, userId), hasAddress(userId, email)));
}

/**
 * Whether a link still works. If the user's address is no longer `email`, deletes all their reset links.
 * @param identifier from `resetIdentifier`
 */
export async function checkResetLink(
  db: Database,
  userId: string,
  email: string,
  identifier: string,
): Promise<boolean> {
  const [, links] = await db.batch([
    db.delete(verifications).where(and(eq(verifications.value, userId), sql`not ${hasAddress(userId, email)}`)),
    db.select({ id: verifications.id }).from(verifications).where(eq(verifications.identifier, identifier)).limit(1),
  ]);
  return links.length > 0;
}

function hasAddress(userId: string, email: string) {
  return sql`exists (select 1 from ${users} where ${users.id} = ${userId} and ${users.email} = ${email})`;
}
