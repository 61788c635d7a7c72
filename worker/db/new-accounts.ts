import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "./client.ts";
import { isReserved } from "./email-changes.ts";
import { accounts, users } from "./schema.ts";
import { isUniqueViolation } from "./unique-violation.ts";

/** Whose address it is. */
export interface AddressOwner {
  id: string;
  isVerified: boolean;
  /** By an administrator. */
  isGiven: boolean;
  accessRevision: number;
}

/** @param email in lower case */
export async function findOwner(db: Database, email: string): Promise<AddressOwner | null> {
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
 * Makes a confirmed account without a password. Its row in `accounts` is there, so that a reset can set one.
 * @param provider who vouched for the person, if a provider did
 * @returns the account that the address has afterwards, also if another call has just made it; null when a former owner may still take the address back
 */
export async function createAccount(
  db: Database,
  email: string,
  now: number,
  provider?: { name: string; sub: string },
): Promise<AddressOwner | null> {
  const id = crypto.randomUUID();
  const isOpen = await db.get<{ holds: number }>(sql`select (not ${isReserved(email, "", now)}) as holds`);
  if (isOpen.holds !== 1) return null;
  try {
    await db.batch([
      db.insert(users).values({ id, email, username: "", isVerified: true }),
      db.insert(accounts).values({ userId: id, accountId: id, providerId: "credential" }),
      ...(provider
        ? [db.insert(accounts).values({ userId: id, accountId: provider.sub, providerId: provider.name })]
        : []),
    ]);
    return { id, isVerified: true, isGiven: false, accessRevision: 0 };
  } catch (error) {
    if (isUniqueViolation(error)) return findOwner(db, email);
    throw error;
  }
}
