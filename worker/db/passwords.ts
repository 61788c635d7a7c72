import { and, eq, gt, sql, type SQL } from "drizzle-orm";
import type { Database } from "./client.ts";
import { repeatable } from "./retries.ts";
import { resetIdentifier } from "./reset-links.ts";
import { accounts, adminSessions, sessions, verifications } from "./schema.ts";

/**
 * Sets a person's password. Every session, every admin session and every reset link of theirs ends in the
 * same transaction.
 * @param passwordHash as better-auth hashes passwords
 */
export async function replacePassword(db: Database, userId: string, passwordHash: string): Promise<void> {
  await repeatable(() => db.batch(statements(db, sql`${userId}`, passwordHash)));
}

/**
 * Uses up a reset link: sets its owner's password and ends what `replacePassword` ends, in one transaction.
 * @param passwordHash as better-auth hashes passwords
 * @param now epoch milliseconds
 * @returns its owner's id; null for a token that is unknown, used or late
 */
export async function redeemResetLink(
  db: Database,
  token: string,
  passwordHash: string,
  now: number,
): Promise<string | null> {
  const owner = db
    .select({ id: verifications.value })
    .from(verifications)
    .where(and(eq(verifications.identifier, resetIdentifier(token)), gt(verifications.expiresAt, new Date(now))))
    .limit(1);
  const [changed] = await db.batch(statements(db, sql`${owner}`, passwordHash));
  return changed[0]?.userId ?? null;
}

/** Reset links go last: they may be what says whose password it is. */
function statements(db: Database, userId: SQL, passwordHash: string) {
  return [
    db
      .update(accounts)
      .set({ password: passwordHash })
      .where(and(sql`${accounts.userId} = ${userId}`, eq(accounts.providerId, "credential")))
      .returning({ userId: accounts.userId }),
    db.delete(sessions).where(sql`${sessions.userId} = ${userId}`),
    db.delete(adminSessions).where(sql`${adminSessions.userId} = ${userId}`),
    db.delete(verifications).where(sql`${verifications.value} = ${userId}`),
  ] as const;
}
