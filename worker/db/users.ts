import { and, eq, gt, isNotNull, isNull, notExists, or, sql } from "drizzle-orm";
import { auditEntryInsert, type AuditEntry } from "./admin-audit.ts";
import { IS_NOT_THE_LAST_ADMIN } from "./admin-users.ts";
import type { Database } from "./client.ts";
import { repeatable } from "./retries.ts";
import { deleteResetLinks } from "./reset-links.ts";
import { accounts, adminSessions, files, sessions, users, verifications } from "./schema.ts";

/** Whether somebody has registered that address (lower case). */
export async function emailExists(db: Database, email: string): Promise<boolean> {
  const rows = await db.select({ id: users.id }).from(users).where(eq(users.email, email)).limit(1);
  return rows.length > 0;
}

/** The address of that person, or null. */
export async function findEmail(db: Database, id: string): Promise<string | null> {
  const [row] = await db.select({ email: users.email }).from(users).where(eq(users.id, id)).limit(1);
  return row?.email ?? null;
}

/** Keeps the hash of a person's newest verification token: the ones before it do nothing any more. */
export async function setVerificationToken(db: Database, id: string, hash: string, expiresAt: number): Promise<void> {
  await db
    .update(users)
    .set({ verificationToken: hash, verificationTokenExpiry: new Date(expiresAt) })
    .where(eq(users.id, id));
}

/** What a verification token says: the address that its owner had when it was made, and the one it changes to, if any. */
export interface VerificationClaims {
  email: string;
  newEmail: string | null;
}

/**
 * Uses up a verification token: its owner's address is confirmed, or changed to `newEmail` and confirmed. A change
 * deletes the owner's unused reset links, which went to the former address, in the same transaction.
 * @param now epoch milliseconds
 * @returns the address before and now; "taken" when somebody else has the new one; null for a token that is unknown,
 * used, late, or older than its owner's address
 */
export async function verifyEmailByToken(
  db: Database,
  hash: string,
  claims: VerificationClaims,
  now: number,
): Promise<{ email: string; formerEmail: string } | "taken" | null> {
  const holds = and(
    eq(users.verificationToken, hash),
    gt(users.verificationTokenExpiry, new Date(now)),
    eq(users.email, claims.email),
  );
  const [owner] = await db.select({ id: users.id }).from(users).where(holds).limit(1);
  if (!owner) return null;
  const email = claims.newEmail ?? claims.email;
  const verify = db
    .update(users)
    .set({ email, isVerified: true, verificationToken: null, verificationTokenExpiry: null })
    .where(and(eq(users.id, owner.id), holds))
    .returning({ id: users.id });
  try {
    const [verified] =
      email === claims.email ? await verify : (await db.batch([verify, deleteResetLinks(db, owner.id, email)]))[0];
    return verified ? { email, formerEmail: claims.email } : null;
  } catch (error) {
    if (String(error instanceof Error ? (error.cause ?? error) : error).includes("UNIQUE")) return "taken";
    throw error;
  }
}

/**
 * Changes a person's address without a mail to confirm it. Links that were mailed to the former one, to set a password
 * or to confirm it, stop working in the same transaction.
 * @param email the address so far
 * @param newEmail lower case
 * @returns whether it has changed; not when somebody has the new address, or the person no longer has the former one
 */
export async function changeEmailAtOnce(db: Database, id: string, email: string, newEmail: string): Promise<boolean> {
  const isFree = sql`not exists (select 1 from ${users} as other where other.email = ${newEmail})`;
  const [changed] = await db.batch([
    db
      .update(users)
      .set({ email: newEmail, verificationToken: null, verificationTokenExpiry: null })
      .where(and(eq(users.id, id), eq(users.email, email), isFree)),
    deleteResetLinks(db, id, newEmail),
  ]);
  return changed.meta.changes === 1;
}

/**
 * Begins an account's deletion in one transaction: its links and sessions end, its address is free again, nobody can
 * sign in to it.
 * @param deed where an administrator does it: then the last administrator is kept
 * @returns whether it has begun, now or before
 */
export async function beginUserDeletion(db: Database, id: string, now: number, entry?: AuditEntry): Promise<boolean> {
  const at = new Date(now);
  const mayGo = entry ? or(eq(users.isAdmin, false), IS_NOT_THE_LAST_ADMIN) : undefined;
  const hasBegun = sql`exists (select 1 from ${users} where ${users.id} = ${id} and ${users.deletedAt} is not null)`;
  await repeatable(() =>
    db.batch([
      db
        .update(users)
        .set({ deletedAt: at, email: `deleted:${id}`, isAdmin: false, verificationToken: null })
        .where(and(eq(users.id, id), isNull(users.deletedAt), mayGo)),
      ...(entry ? [auditEntryInsert(db, entry)] : []),
      db
        .update(files)
        .set({ deletedAt: at, expiresAt: sql`min(coalesce(${files.expiresAt}, ${now}), ${now})` })
        .where(and(eq(files.userId, id), sql`${files.status} = 'ready'`, isNull(files.deletedAt), hasBegun)),
      db.delete(sessions).where(and(eq(sessions.userId, id), hasBegun)),
      db.delete(adminSessions).where(and(eq(adminSessions.userId, id), hasBegun)),
      db.delete(accounts).where(and(eq(accounts.userId, id), hasBegun)),
      db.delete(verifications).where(and(eq(verifications.value, id), hasBegun)),
    ]),
  );
  return (await db.$count(users, and(eq(users.id, id), isNotNull(users.deletedAt)))) > 0;
}

/** People whose deletion has begun, drawn at random: those that cannot be removed yet are not always the first. */
export async function listUsersInDeletion(db: Database, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(isNotNull(users.deletedAt))
    .orderBy(sql`random()`)
    .limit(limit);
  return rows.map(({ id }) => id);
}

/**
 * Removes the rows of a person whose deletion has begun, unless an object or an unfinished upload is left.
 * @returns whether they are gone
 */
export async function removeUserRows(db: Database, id: string): Promise<boolean> {
  const stored = db
    .select({ id: files.id })
    .from(files)
    .where(
      and(
        eq(files.userId, id),
        sql`(${files.status} = 'uploading' or (${files.status} = 'ready' and ${files.s3DeletedAt} is null))`,
      ),
    );
  const removable = and(eq(users.id, id), isNotNull(users.deletedAt), notExists(stored));
  const [, removed] = await db.batch([
    db.delete(files).where(and(eq(files.userId, id), sql`exists (select 1 from ${users} where ${removable})`)),
    db.delete(users).where(removable),
  ]);
  // What goes with the row, such as sessions, is counted too.
  return removed.meta.changes > 0;
}
