import { and, eq, isNull } from "drizzle-orm";
import type { Database } from "./client.ts";
import { isReserved } from "./email-changes.ts";
import type { ProviderPerson } from "./provider-accounts.ts";
import { isUniqueViolation } from "./retries.ts";
import { accounts, users } from "./schema.ts";

/** Whose address it is. */
export interface EmailOwner {
  id: string;
  isVerified: boolean;
  /** Whether an administrator has given the address. */
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
 * Makes an account without a password. Its row in `accounts` is there, so that a reset can set one.
 * @param isVerified whether the person has proved the address
 * @param provider who vouched for the person, if a provider did
 * @returns the account that the address has afterwards, also if another call has just made it; null when a former owner may
 *   still take the address back
 */
export async function createAccount(
  db: Database,
  email: string,
  isVerified: boolean,
  now: number,
  provider?: ProviderPerson,
): Promise<EmailOwner | null> {
  const id = crypto.randomUUID();
  try {
    const results = await db.batch([
      db.insert(users).values({ id, email, username: "", isVerified }),
      db.insert(accounts).values({ userId: id, accountId: id, providerId: "credential" }),
      ...(provider
        ? [db.insert(accounts).values({ userId: id, accountId: provider.sub, providerId: provider.name })]
        : []),
      reservedRemoval(db, id, email, now),
    ]);
    if ((results.at(-1)?.meta.changes ?? 0) > 0) return null;
    return { id, isVerified, isGiven: false, accessRevision: 0 };
  } catch (error) {
    if (isUniqueViolation(error)) return findOwner(db, email);
    throw error;
  }
}

/** Takes an account away that was just made, if a former owner may still take its address back. @returns whether it did */
export async function dropReservedAccount(db: Database, id: string, email: string, now: number): Promise<boolean> {
  const dropped = await reservedRemoval(db, id, email, now);
  return dropped.meta.changes > 0;
}

/** Looks after the account is there: whoever leaves the address later finds it taken. */
function reservedRemoval(db: Database, id: string, email: string, now: number) {
  return db.delete(users).where(and(eq(users.id, id), isReserved(email, "", now)));
}
