import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { accountEventInsert, type NewEvent } from "./account-events.ts";
import type { Database } from "./client.ts";
import { outboxInsert, type DueMail } from "./mail.ts";
import { isUniqueViolation } from "./retries.ts";
import { passkeys, challenges, users } from "./schema.ts";
import { wrongCodesReset } from "./second-factors.ts";
import { raiseAccessRevision, hasOtherWay, type OpenWays } from "./ways-in.ts";

export type PasskeyRow = typeof passkeys.$inferSelect;

/** Lists a person's passkeys, oldest first. */
export async function listPasskeysOf(db: Database, userId: string): Promise<PasskeyRow[]> {
  return db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), asc(sql`${passkeys}.rowid`));
}

/** A passkey with its account, for checking the answer to a challenge. */
export interface FoundPasskey {
  passkey: PasskeyRow;
  email: string;
  accessRevision: number;
}

/** @param credentialId base64url @returns null when no living account has the passkey */
export async function findPasskey(db: Database, credentialId: string): Promise<FoundPasskey | null> {
  const [row] = await db
    .select({ passkey: passkeys, email: users.email, accessRevision: users.accessRevision })
    .from(passkeys)
    .innerJoin(users, and(eq(users.id, passkeys.userId), isNull(users.deletedAt)))
    .where(eq(passkeys.credentialId, credentialId))
    .limit(1);
  return row ?? null;
}

/** A passkey challenge that was answered and must not be answered again. */
export interface UsedChallenge {
  /** SHA-256 of the challenge in hex. */
  hash: string;
  /** Epoch milliseconds. After this time the challenge is refused for its age. */
  expiresAt: number;
}

/** Marks a challenge as used. Changes no row when the challenge was used before, or `condition` does not hold. */
function challengeUse(db: Database, userId: string, { hash, expiresAt }: UsedChallenge, condition = sql`true`) {
  return db
    .insert(challenges)
    .select(sql`select ${hash}, ${"passkey-challenge"}, ${userId}, ${"{}"}, 0, ${expiresAt} where ${condition}`)
    .onConflictDoNothing();
}

interface PasskeyUse {
  challenge: UsedChallenge;
  counter: number;
  isBackedUp: boolean;
  /** Epoch milliseconds. */
  now: number;
}

/**
 * Notes a passkey's use, and resets the count of wrong codes.
 * @returns false for a used challenge, a lower counter or no passkey
 */
export async function usePasskey(db: Database, { id, userId }: PasskeyRow, use: PasskeyUse): Promise<boolean> {
  const { challenge, counter, isBackedUp, now } = use;
  const goesOn = sql`exists (select 1 from ${passkeys} where ${passkeys.id} = ${id}
    and (${passkeys.counter} < ${counter} or (${passkeys.counter} = 0 and ${counter} = 0)))`;
  const [used] = await db.batch([
    challengeUse(db, userId, challenge, goesOn),
    db
      .update(passkeys)
      .set({ counter, isBackedUp, lastUsedAt: new Date(now) })
      .where(and(eq(passkeys.id, id), sql`changes() > 0`)),
    wrongCodesReset(db, userId, sql`changes() > 0`),
  ]);
  return used.meta.changes === 1;
}

/** Notes that a passkey's counter fell, and saves the mail about the event. @returns false for a used challenge */
export async function noteRefusedPasskey(
  db: Database,
  challenge: UsedChallenge,
  event: NewEvent,
  notice: DueMail,
): Promise<boolean> {
  const [used] = await db.batch([
    challengeUse(db, event.userId, challenge),
    accountEventInsert(db, event, sql`changes() > 0`),
    outboxInsert(db, notice, sql`changes() > 0`, event.at),
  ]);
  return used.meta.changes === 1;
}

type NewPasskey = Omit<PasskeyRow, "id" | "createdAt" | "lastUsedAt">;

/**
 * Adds a passkey, and saves the mail to the person.
 * @param max how many passkeys an account may have
 * @returns "full" for an account with `max` passkeys, "taken" for a known passkey, "used" for a used challenge
 */
export async function insertPasskey(
  db: Database,
  row: NewPasskey,
  max: number,
  challenge: UsedChallenge,
  event: NewEvent,
  mail: DueMail,
): Promise<"added" | "full" | "taken" | "used"> {
  const { userId, credentialId, publicKey, algorithm, counter, transports, aaguid, isBackedUp, name } = row;
  const count = sql`(select count(*) from ${passkeys} where ${passkeys.userId} = ${userId})`;
  try {
    const [used, added] = await db.batch([
      challengeUse(db, userId, challenge),
      db.insert(passkeys).select(
        sql`select ${crypto.randomUUID()}, ${userId}, ${credentialId}, ${publicKey}, ${algorithm}, ${counter},
          ${JSON.stringify(transports)}, ${aaguid}, ${isBackedUp ? 1 : 0}, ${name}, ${event.at}, null
          where changes() > 0 and ${count} < ${max}`,
      ),
      accountEventInsert(db, event, sql`changes() > 0`),
      outboxInsert(db, mail, sql`changes() > 0`, event.at),
    ]);
    if (used.meta.changes === 0) return "used";
    return added.meta.changes === 1 ? "added" : "full";
  } catch (error) {
    if (isUniqueViolation(error)) return "taken";
    throw error;
  }
}

/** @returns null when the person has no such passkey */
export async function renamePasskey(
  db: Database,
  userId: string,
  id: string,
  name: string,
): Promise<PasskeyRow | null> {
  const [row] = await db
    .update(passkeys)
    .set({ name })
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
    .returning();
  return row ?? null;
}

/** Deletes a passkey, but never the last way in. @param mail the mail to the person, saved in the same transaction */
export async function deletePasskey(
  db: Database,
  id: string,
  ways: OpenWays,
  event: NewEvent,
  mail: DueMail,
): Promise<"deleted" | "last" | "gone"> {
  const { userId } = event;
  const own = and(eq(passkeys.id, id), eq(passkeys.userId, userId));
  const [deleted, , , , left] = await db.batch([
    db.delete(passkeys).where(and(own, hasOtherWay(userId, ways, { passkeyId: id }))),
    accountEventInsert(db, event, sql`changes() > 0`),
    outboxInsert(db, mail, sql`changes() > 0`, event.at),
    raiseAccessRevision(db, sql`${userId}`, sql`changes() > 0`),
    db.select({ id: passkeys.id }).from(passkeys).where(own),
  ]);
  if (deleted.meta.changes === 1) return "deleted";
  return left.length === 1 ? "last" : "gone";
}
