import { and, eq, gt, gte, isNull, ne, or, sql, type SQL } from "drizzle-orm";
import * as z from "zod/mini";
import { accountEventInsert, type NewEvent } from "./account-events.ts";
import { keysRevocation } from "./api-keys.ts";
import type { Database } from "./client.ts";
import { approvedCodesRemoval } from "./device-codes.ts";
import { forgetEmailChanges } from "./email-changes.ts";
import { connectionInsert, type ProviderPerson } from "./provider-accounts.ts";
import { isUniqueViolation } from "./retries.ts";
import {
  accounts,
  adminSessions,
  devices,
  emailChanges,
  passkeys,
  recoveryCodes,
  secondFactors,
  sessions,
  challenges,
  users,
  verifications,
  webhooks,
} from "./schema.ts";
import { raiseAccessRevision } from "./ways-in.ts";
import { webhooksOff } from "./webhooks.ts";

interface LockOut {
  /** The condition under which the statements of the lock-out change rows. */
  isDue: SQL;
  /** Selects a second factor that a stranger may have set up. A factor that waits for its first code always ends. */
  endsFactor: SQL;
}

/**
 * Statements that leave password and mail as the only ways in: sessions, devices, keys, passkeys, providers and mailed
 * links end. The first statement notes the event, the last one deletes the account's `challenges`.
 */
function evictionStatements(db: Database, event: NewEvent, { isDue, endsFactor }: LockOut) {
  const { userId, at } = event;
  const isEnding = or(isNull(secondFactors.confirmedAt), endsFactor);
  const hasNoFactor = sql`not exists (select 1 from ${secondFactors} where ${secondFactors.userId} = ${userId})`;
  return [
    accountEventInsert(db, event, isDue),
    raiseAccessRevision(db, sql`${userId}`, isDue),
    db.delete(accounts).where(and(eq(accounts.userId, userId), ne(accounts.providerId, "credential"), isDue)),
    db.delete(sessions).where(and(eq(sessions.userId, userId), isDue)),
    db.delete(adminSessions).where(and(eq(adminSessions.userId, userId), isDue)),
    keysRevocation(db, userId, at, isDue),
    approvedCodesRemoval(db, userId, isDue),
    db.delete(devices).where(and(eq(devices.userId, userId), isDue)),
    db.delete(passkeys).where(and(eq(passkeys.userId, userId), isDue)),
    db.delete(secondFactors).where(and(eq(secondFactors.userId, userId), isEnding, isDue)),
    db.delete(recoveryCodes).where(and(eq(recoveryCodes.userId, userId), hasNoFactor, isDue)),
    db.delete(verifications).where(and(eq(verifications.value, userId), isDue)),
    db.delete(challenges).where(and(eq(challenges.userId, userId), isDue)),
  ] as const;
}

/**
 * Runs `evictionStatements`, and removes the password, so that mail is the only way in. Switches webhooks off: a
 * webhook that a stranger has made or redirected would report every upload.
 */
function lockOutStatements(db: Database, event: NewEvent, lockOut: LockOut) {
  const { userId, at } = event;
  return [
    passwordRemoval(db, userId, lockOut.isDue),
    ...webhooksOff(db, userId, at, lockOut.isDue),
    ...evictionStatements(db, event, lockOut),
  ] as const;
}

function passwordRemoval(db: Database, userId: string, condition: SQL) {
  return db
    .update(accounts)
    .set({ password: null })
    .where(and(eq(accounts.userId, userId), condition));
}

/** The statements that end what `claimEmail` ends, except the password, for the batch of a password reset. */
export function claimStatements(db: Database, event: NewEvent, lockOut: LockOut) {
  const { userId } = event;
  return [
    ...evictionStatements(db, event, lockOut),
    db.delete(webhooks).where(and(eq(webhooks.userId, userId), lockOut.isDue)),
    forgetEmailChanges(db, userId, lockOut.isDue),
  ] as const;
}

/**
 * Gives an account to the first person who proves its address. Whoever registered the address may be a stranger who
 * waited, so all ways in and second factors end, and no earlier address can come back. If an administrator set the
 * address, the claim only confirms the address, because the account already belonged to somebody.
 * @param provider connected to the account in the same transaction, unless an administrator gave the address
 */
export async function claimEmail(
  db: Database,
  email: string,
  event: NewEvent,
  provider?: ProviderPerson,
): Promise<void> {
  const { userId } = event;
  const isUnproved = sql`owner.id = ${userId} and owner.email = ${email} and owner.is_verified = 0
    and owner.deleted_at is null`;
  const isDue = sql`exists (select 1 from ${users} as owner where ${isUnproved} and owner.is_address_given = 0)`;
  await db.batch([
    passwordRemoval(db, userId, isDue),
    ...claimStatements(db, event, { isDue, endsFactor: sql`true` }),
    ...(provider ? [connectionInsert(db, userId, provider, event.at, isDue)] : []),
    db
      .update(users)
      .set({ isVerified: true, verificationToken: null, verificationTokenExpiry: null })
      .where(and(eq(users.id, userId), sql`exists (select 1 from ${users} as owner where ${isUnproved})`)),
  ]);
}

const notMeData = z.object({ at: z.number(), email: z.string() });
/** The data behind the link in a mail about a new device. */
export type NotMeData = z.infer<typeof notMeData>;

export interface NotMeLink {
  userId: string;
  /** The address to which the mail was sent. */
  email: string;
  /** When the reported sign-in happened, in epoch milliseconds. */
  since: number;
}

/** @returns null when the link is unknown, used or expired */
export async function findNotMeLink(db: Database, tokenHash: string, now: number): Promise<NotMeLink | null> {
  const [row] = await db
    .select({ userId: users.id, data: challenges.data })
    .from(challenges)
    .innerJoin(users, and(eq(users.id, challenges.userId), isNull(users.deletedAt)))
    .where(
      and(eq(challenges.tokenHash, tokenHash), eq(challenges.kind, "not-me"), gt(challenges.expiresAt, new Date(now))),
    )
    .limit(1);
  if (!row) return null;
  const { at, email } = notMeData.parse(JSON.parse(row.data));
  return { userId: row.userId, email, since: at };
}

/**
 * Locks everybody out of an account. Drops an address that waits to be confirmed. If the address to which the mail went
 * was changed since the reported sign-in and the change can be undone, brings this address back, because the stranger
 * may have changed it.
 * @returns the account's address afterwards; null when the link is no longer valid, "taken" when another account has
 * the mailed address now
 */
export async function lockByNotMeLink(
  db: Database,
  tokenHash: string,
  { userId, email, since }: NotMeLink,
  event: NewEvent,
): Promise<{ email: string } | "taken" | null> {
  const isDue = sql`exists (select 1 from ${challenges} where ${challenges.tokenHash} = ${tokenHash} and ${challenges.expiresAt} > ${event.at})`;
  const mayComeBack = sql`exists (select 1 from ${emailChanges} where ${emailChanges.userId} = ${userId}
    and ${emailChanges.former} = ${email} and ${emailChanges.expiresAt} > ${event.at})`;
  // A second factor set up on a device from before the reported sign-in belongs to the owner and stays.
  const endsFactor = sql`coalesce(${secondFactors.deviceSince}, ${secondFactors.confirmedAt}) >= ${since}`;
  try {
    const [[locked]] = await db.batch([
      db
        .update(users)
        .set({
          email: sql`case when ${mayComeBack} then ${email} else ${users.email} end`,
          isVerified: sql`case when ${mayComeBack} then 1 else ${users.isVerified} end`,
          verificationToken: null,
          verificationTokenExpiry: null,
        })
        .where(and(eq(users.id, userId), isNull(users.deletedAt), isDue))
        .returning({ email: users.email }),
      forgetEmailChanges(db, userId, sql`${emailChanges.createdAt} >= ${since} and ${isDue}`),
      ...lockOutStatements(db, event, { isDue, endsFactor }),
    ]);
    return locked ?? null;
  } catch (error) {
    if (isUniqueViolation(error)) return "taken";
    throw error;
  }
}

export interface EmailUndo {
  userId: string;
  /** The address that the undo brings back. */
  former: string;
  /** When the change was requested. */
  createdAt: Date;
}

/** @returns null when the link is unknown, used or expired */
export async function findEmailUndo(db: Database, tokenHash: string, now: number): Promise<EmailUndo | null> {
  const [row] = await db
    .select({ userId: emailChanges.userId, former: emailChanges.former, createdAt: emailChanges.createdAt })
    .from(emailChanges)
    .innerJoin(users, and(eq(users.id, emailChanges.userId), isNull(users.deletedAt)))
    .where(and(eq(emailChanges.tokenHash, tokenHash), gt(emailChanges.expiresAt, new Date(now))))
    .limit(1);
  return row ?? null;
}

/**
 * Brings the former address back and locks everybody out, in one transaction. Changes of the address after this one can
 * no longer be undone, because their former addresses may be a stranger's; earlier changes can.
 * @returns whether this call did the undo; "taken" when another account has the address now
 */
export async function undoEmailChange(
  db: Database,
  tokenHash: string,
  { userId, former, createdAt }: EmailUndo,
  event: NewEvent,
): Promise<boolean | "taken"> {
  const isDue = sql`exists (select 1 from ${emailChanges} where ${emailChanges.tokenHash} = ${tokenHash} and ${emailChanges.expiresAt} > ${event.at})`;
  try {
    const [undone] = await db.batch([
      db
        .update(users)
        .set({ email: former, isVerified: true, verificationToken: null, verificationTokenExpiry: null })
        .where(and(eq(users.id, userId), isNull(users.deletedAt), isDue))
        .returning({ id: users.id }),
      ...lockOutStatements(db, event, { isDue, endsFactor: gte(secondFactors.confirmedAt, createdAt) }),
      db
        .delete(emailChanges)
        .where(and(eq(emailChanges.userId, userId), gte(emailChanges.createdAt, createdAt), isDue)),
    ]);
    return undone.length === 1;
  } catch (error) {
    if (isUniqueViolation(error)) return "taken";
    throw error;
  }
}
