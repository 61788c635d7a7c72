import { and, eq, gt, sql, type SQL } from "drizzle-orm";
import type { Database } from "./client.ts";
import { dropWaitingAddress } from "./email-changes.ts";
import { retryIdempotent } from "./retries.ts";
import { resetIdentifier } from "./reset-links.ts";
import { accounts, adminSessions, devices, sessions, steps, verifications } from "./schema.ts";
import { waitingOf } from "./waiting-sign-ins.ts";

/**
 * Also deletes sessions, admin sessions and reset links, ends the trust in devices, and drops an address that waits to be
 * confirmed, in one transaction. The hash has better-auth's format.
 */
export async function replacePassword(db: Database, userId: string, passwordHash: string): Promise<void> {
  await retryIdempotent(() => db.batch(replacePasswordStatements(db, sql`${userId}`, passwordHash)));
}

/** As `replacePassword`. Returns the user's id; null when the token is unknown, used or expired. */
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
  const [changed] = await db.batch(replacePasswordStatements(db, sql`${owner}`, passwordHash));
  return changed[0]?.userId ?? null;
}

/** Deletes reset links last, because `userId` may be a subquery on them. */
function replacePasswordStatements(db: Database, userId: SQL, passwordHash: string) {
  return [
    db
      .update(accounts)
      .set({ password: passwordHash })
      .where(and(sql`${accounts.userId} = ${userId}`, eq(accounts.providerId, "credential")))
      .returning({ userId: accounts.userId }),
    db.delete(sessions).where(sql`${sessions.userId} = ${userId}`),
    db.delete(adminSessions).where(sql`${adminSessions.userId} = ${userId}`),
    db.delete(steps).where(waitingOf(userId)),
    db
      .update(devices)
      .set({ trustedUntil: null })
      .where(sql`${devices.userId} = ${userId}`),
    dropWaitingAddress(db, userId),
    db.delete(verifications).where(sql`${verifications.value} = ${userId}`),
  ] as const;
}
