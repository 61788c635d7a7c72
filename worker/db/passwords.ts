import { and, eq, gt, sql, type SQL } from "drizzle-orm";
import { accountEventInsert, type NewEvent } from "./account-events.ts";
import type { Database } from "./client.ts";
import { dropPendingEmail } from "./email-changes.ts";
import { claimStatements } from "./lock-outs.ts";
import { retryIdempotent } from "./retries.ts";
import {
  accounts,
  adminSessions,
  devices,
  secondFactors,
  sessions,
  challenges,
  users,
  verifications,
} from "./schema.ts";
import { wrongCodesReset } from "./second-factors.ts";
import { waitingOf } from "./waiting-sign-ins.ts";
import { raiseAccessRevision } from "./ways-in.ts";
import { webhooksOff } from "./webhooks.ts";

/**
 * Replaces a password in one transaction with all that a new password ends: sessions, admin sessions, reset links,
 * trust in devices, and an address that waits to be confirmed. The hash has better-auth's format.
 * @returns the account's new access revision; null when the account is deleted
 */
export async function replacePassword(db: Database, userId: string, passwordHash: string): Promise<number | null> {
  const isSet = hasPassword(userId, passwordHash);
  const [, raised] = await retryIdempotent(() =>
    db.batch([passwordUpdate(db, userId, passwordHash, sql`true`), ...endingStatements(db, userId, isSet)]),
  );
  return raised[0]?.accessRevision ?? null;
}

/**
 * @param identifier from `resetIdentifier` @param now epoch milliseconds
 * @returns the account whose password the link sets; null when the link is unknown, used or expired
 */
export async function findResetLink(
  db: Database,
  identifier: string,
  now: number,
): Promise<{ id: string; email: string } | null> {
  const [row] = await db
    .select({ id: users.id, email: users.email })
    .from(verifications)
    .innerJoin(users, eq(users.id, verifications.value))
    .where(isLiving(identifier, now))
    .limit(1);
  return row ?? null;
}

/**
 * Does what `replacePassword` does, and switches webhooks off: a webhook made by a stranger who knew the former
 * password would go on reporting every upload. If nobody had proved the address, the reset proves the address and ends
 * all other ways in, since the person who registered it may be a stranger. No reset removes a second factor; while one
 * stays, the address counts as unproved.
 * @param event the change of the password; if the account is claimed, that is noted as a second event
 * @returns whether the account was claimed; null when the link is no longer valid
 */
export async function redeemResetLink(
  db: Database,
  identifier: string,
  passwordHash: string,
  event: NewEvent,
): Promise<{ isClaimed: boolean } | null> {
  const { userId, at } = event;
  const isOpen = sql`exists (select 1 from ${verifications}
    where ${and(isLiving(identifier, at), eq(verifications.value, userId))})`;
  const isSet = hasPassword(userId, passwordHash);
  const isUnproved = sql`${isSet} and exists (select 1 from ${users} as owner where owner.id = ${userId}
    and owner.is_verified = 0 and owner.is_address_given = 0 and owner.deleted_at is null)`;
  const hasFactor = sql`exists (select 1 from ${secondFactors} where ${secondFactors.userId} = ${userId})`;
  const [changed, , claimed] = await db.batch([
    passwordUpdate(db, userId, passwordHash, isOpen),
    accountEventInsert(db, event, isSet),
    ...claimStatements(db, { ...event, kind: "email.claimed" }, { isDue: isUnproved, endsFactor: sql`false` }),
    db
      .update(users)
      .set({ isVerified: true, verificationToken: null, verificationTokenExpiry: null })
      .where(
        and(
          eq(users.id, userId),
          eq(users.isVerified, false),
          sql`(${users.isAddressGiven} = 1 or not ${hasFactor})`,
          isSet,
        ),
      ),
    ...endingStatements(db, userId, isSet),
    ...webhooksOff(db, userId, at, isSet),
  ]);
  return changed.meta.changes > 0 ? { isClaimed: claimed.meta.changes > 0 } : null;
}

function isLiving(identifier: string, now: number) {
  return and(eq(verifications.identifier, identifier), gt(verifications.expiresAt, new Date(now)));
}

/** Whether this batch has set the password: the hash has a random salt, so no earlier statement has set it. */
function hasPassword(userId: string, passwordHash: string): SQL {
  return sql`exists (select 1 from ${accounts} where ${accounts.userId} = ${userId} and ${accounts.password} = ${passwordHash})`;
}

function passwordUpdate(db: Database, userId: string, passwordHash: string, condition: SQL) {
  return db
    .update(accounts)
    .set({ password: passwordHash })
    .where(and(eq(accounts.userId, userId), eq(accounts.providerId, "credential"), condition));
}

function endingStatements(db: Database, userId: string, condition: SQL) {
  return [
    raiseAccessRevision(db, sql`${userId}`, condition).returning({ accessRevision: users.accessRevision }),
    db.delete(sessions).where(and(eq(sessions.userId, userId), condition)),
    db.delete(adminSessions).where(and(eq(adminSessions.userId, userId), condition)),
    db.delete(challenges).where(and(waitingOf(sql`${userId}`), condition)),
    db
      .update(devices)
      .set({ trustedUntil: null })
      .where(and(eq(devices.userId, userId), condition)),
    dropPendingEmail(db, userId, condition),
    db.delete(verifications).where(and(eq(verifications.value, userId), condition)),
    wrongCodesReset(db, userId, condition),
  ] as const;
}

/**
 * The statement that deletes a user's reset links if the user's address is `email`, for the batch that changes the
 * address.
 */
export function deleteResetLinks(db: Database, userId: string, email: string) {
  return db.delete(verifications).where(and(eq(verifications.value, userId), hasAddress(userId, email)));
}

/**
 * Whether a reset link still works. If the user's address is no longer `email`, deletes all their reset links.
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
