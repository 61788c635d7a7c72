import { and, eq, ne, sql, type SQL } from "drizzle-orm";
import * as z from "zod/mini";
import { accountEventInsert, type NewEvent } from "./account-events.ts";
import type { Database } from "./client.ts";
import { outboxInsert, type DueMail } from "./mail.ts";
import { accounts, challenges, users } from "./schema.ts";
import { raiseAccessRevision, hasOtherWay, type OpenWays } from "./ways-in.ts";

/** A person as a sign-in provider identifies them. */
export interface ProviderPerson {
  name: string;
  sub: string;
}

/** The data kept while a person is at a sign-in provider's page. */
const visitData = z.object({
  name: z.string(),
  /** SHA-256 of the browser's cookie in hex. */
  browser: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** The path of this site to open after the visit; null for the default page. */
  returnTo: z.nullable(z.string()),
});
export type ProviderVisit = z.infer<typeof visitData> & {
  /** The account to connect; null for a sign-in. */
  userId: string | null;
};

/** Saves a visit to a provider's page. @param expiresAt epoch milliseconds */
export async function saveProviderVisit(
  db: Database,
  stateHash: string,
  { userId, ...data }: ProviderVisit,
  expiresAt: number,
): Promise<void> {
  await db.insert(challenges).values({
    tokenHash: stateHash,
    kind: "provider",
    userId,
    data: JSON.stringify(data),
    expiresAt: new Date(expiresAt),
  });
}

/** Uses a visit up. @returns null for a visit that is unknown, used, expired, or of another browser or provider */
export async function takeProviderVisit(
  db: Database,
  stateHash: string,
  name: string,
  browserHash: string,
  now: number,
): Promise<ProviderVisit | null> {
  const isOwn = sql`json_extract(${challenges.data}, '$.browser') = ${browserHash}
    and json_extract(${challenges.data}, '$.name') = ${name}`;
  const [row] = await db
    .delete(challenges)
    .where(
      and(
        eq(challenges.tokenHash, stateHash),
        eq(challenges.kind, "provider"),
        sql`${challenges.expiresAt} > ${now}`,
        isOwn,
      ),
    )
    .returning({ userId: challenges.userId, data: challenges.data });
  return row ? { ...visitData.parse(JSON.parse(row.data)), userId: row.userId } : null;
}

/** @returns the account that is connected to the provider's person; null if no account is connected */
export async function findConnected(
  db: Database,
  { name, sub }: ProviderPerson,
): Promise<{ userId: string; accessRevision: number } | null> {
  const [row] = await db
    .select({ userId: users.id, accessRevision: users.accessRevision })
    .from(accounts)
    .innerJoin(users, eq(users.id, accounts.userId))
    .where(and(eq(accounts.providerId, name), eq(accounts.accountId, sub)))
    .limit(1);
  return row ?? null;
}

/**
 * The statement that connects a provider's person to an account, for a batch. Does nothing when the person is already
 * connected to any account.
 */
export function connectionInsert(
  db: Database,
  userId: string,
  { name, sub }: ProviderPerson,
  now: number,
  condition: SQL,
) {
  return db
    .insert(accounts)
    .select(
      sql`select ${crypto.randomUUID()}, ${userId}, ${sub}, ${name}, null, null, null, null, null, null, null, ${now}, ${now}
        where ${condition}`,
    )
    .onConflictDoNothing();
}

/**
 * Connects a provider.
 * @param mail the mail to the person, saved in the same transaction
 * @returns whether the account is connected to this person after the call
 */
export async function connect(db: Database, person: ProviderPerson, event: NewEvent, mail: DueMail): Promise<boolean> {
  const { userId, at } = event;
  const isLiving = sql`exists (select 1 from ${users} where ${users.id} = ${userId} and ${users.deletedAt} is null)`;
  await db.batch([
    connectionInsert(db, userId, person, at, isLiving),
    accountEventInsert(db, event, sql`changes() > 0`),
    outboxInsert(db, mail, sql`changes() > 0`, at),
  ]);
  return (await findConnected(db, person))?.userId === userId;
}

/** @returns the names of the connected providers, and whether the account has a password */
export async function listConnected(
  db: Database,
  userId: string,
): Promise<{ connected: Set<string>; hasPassword: boolean }> {
  const rows = await db
    .select({ name: accounts.providerId, password: accounts.password })
    .from(accounts)
    .where(eq(accounts.userId, userId));
  return {
    connected: new Set(rows.map(({ name }) => name)),
    hasPassword: rows.some(({ name, password }) => name === "credential" && password !== null),
  };
}

/**
 * Ends a connection unless it is the last way in. One statement decides, so that two calls at once cannot end both of
 * the last two ways in.
 * @param mail the mail to the person, saved in the same transaction
 * @returns whether this call ended the connection
 */
export async function disconnect(
  db: Database,
  name: string,
  ways: OpenWays,
  event: NewEvent,
  mail: DueMail,
): Promise<boolean> {
  const { userId } = event;
  const [ended] = await db.batch([
    db
      .delete(accounts)
      .where(
        and(
          eq(accounts.userId, userId),
          eq(accounts.providerId, name),
          ne(accounts.providerId, "credential"),
          hasOtherWay(userId, ways, { provider: name }),
        ),
      ),
    accountEventInsert(db, event, sql`changes() > 0`),
    outboxInsert(db, mail, sql`changes() > 0`, event.at),
    raiseAccessRevision(db, sql`${userId}`, sql`changes() > 0`),
  ]);
  return ended.meta.changes > 0;
}
