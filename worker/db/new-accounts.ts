import { and, eq, gte, isNull, notExists, type SQL } from "drizzle-orm";
import { newRowId } from "#domain/ids.ts";
import type { Database } from "./client.ts";
import { isReserved } from "./email-changes.ts";
import type { ProviderPerson } from "./provider-accounts.ts";
import { isUniqueViolation } from "./retries.ts";
import { accounts, users } from "./schema.ts";

/** The account that has an address. */
export interface EmailOwner {
  id: string;
  isVerified: boolean;
  /** Whether an administrator set the account's address. */
  isGiven: boolean;
  accessRevision: number;
}

/** @param email in lower case */
export async function findOwner(db: Database, email: string): Promise<EmailOwner | null> {
  const [row] = await db
    .select({
      id: users.id,
      isVerified: users.isVerified,
      isGiven: users.isAddressGiven,
      accessRevision: users.accessRevision,
    })
    .from(users)
    .where(and(eq(users.email, email), isNull(users.deletedAt)))
    .limit(1);
  return row ?? null;
}

/**
 * Makes an account without a password. Inserts the account's row in `accounts`, so that a reset can set a password.
 * @param isVerified whether the person has proved the address
 * @param provider the provider that vouched for the person, if any
 * @returns the account that has the address after this call, even if another call made the account; null when a former
 * owner may still take the address back, or a suspended account had the mailbox
 */
export async function createAccount(
  db: Database,
  email: string,
  isVerified: boolean,
  now: number,
  provider?: ProviderPerson,
): Promise<EmailOwner | null> {
  const id = newRowId();
  const reserved = await isReserved(email, "", now);
  try {
    const results = await db.batch([
      db.insert(users).values({ id, email, username: "", isVerified }),
      db.insert(accounts).values({ userId: id, accountId: id, providerId: "credential" }),
      ...(provider
        ? [db.insert(accounts).values({ userId: id, accountId: provider.sub, providerId: provider.name })]
        : []),
      reservedRemoval(db, id, reserved),
    ]);
    if ((results.at(-1)?.meta.changes ?? 0) > 0) return null;
    return { id, isVerified, isGiven: false, accessRevision: 0 };
  } catch (error) {
    if (isUniqueViolation(error)) return findOwner(db, email);
    throw error;
  }
}

/** Deletes a new account if a former owner may still take its address back. @returns whether the account was deleted */
export async function dropReservedAccount(db: Database, id: string, email: string, now: number): Promise<boolean> {
  const dropped = await reservedRemoval(db, id, await isReserved(email, "", now));
  return dropped.meta.changes > 0;
}

/** Deletes an account that was made from `since` on, in epoch milliseconds, and has no way in yet. */
export async function dropHalfAccount(db: Database, email: string, since: number): Promise<void> {
  const ways = db.select({ id: accounts.id }).from(accounts).where(eq(accounts.userId, users.id));
  await db.delete(users).where(and(eq(users.email, email), gte(users.createdAt, new Date(since)), notExists(ways)));
}

/**
 * Deletes a new account whose address is reserved. Runs after the insert, so that a person who wants their former
 * address back after this check finds it taken.
 */
function reservedRemoval(db: Database, id: string, isReserved: SQL) {
  return db.delete(users).where(and(eq(users.id, id), isReserved));
}
