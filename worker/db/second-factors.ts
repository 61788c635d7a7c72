import { and, count, eq, gt, inArray, isNotNull, isNull, lt, sql, type SQL } from "drizzle-orm";
import { accountEventInsert, type NewEvent } from "./account-events.ts";
import { auditEntryInsert, type AuditEntry } from "./admin-audit.ts";
import type { Database } from "./client.ts";
import { outboxInsert, type DueMail } from "./mail.ts";
import { devices, recoveryCodes, secondFactors, challenges, passkeys, users } from "./schema.ts";
import { raiseAccessRevision } from "./ways-in.ts";

/**
 * For a select from `users`: what a person can show besides a password. The columns are named with their tables, because
 * Drizzle leaves the tables out where it selects from one alone.
 */
export const FACTOR_COLUMNS = {
  hasSecondFactor: sql`exists (select 1 from ${secondFactors}
    where ${secondFactors}.user_id = ${users}.id and ${secondFactors}.confirmed_at is not null)`.mapWith(Boolean),
  hasPasskey: sql`exists (select 1 from ${passkeys} where ${passkeys}.user_id = ${users}.id)`.mapWith(Boolean),
};

export interface FactorRow {
  userId: string;
  /** Sealed. */
  secret: string;
  /** Null while no code has proved that the app has the secret. */
  confirmedAt: Date | null;
}

const columns = {
  userId: secondFactors.userId,
  secret: secondFactors.secret,
  confirmedAt: secondFactors.confirmedAt,
};

export async function findFactor(db: Database, userId: string): Promise<FactorRow | null> {
  const [row] = await db.select(columns).from(secondFactors).where(eq(secondFactors.userId, userId)).limit(1);
  return row ?? null;
}

export async function countRecoveryCodes(db: Database, userId: string): Promise<number> {
  const [row] = await db
    .select({ left: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)));
  return row?.left ?? 0;
}

/** Replaces a secret that waits for its first code. @returns false when the account has a factor already */
export async function saveNewFactor(db: Database, userId: string, secret: string): Promise<boolean> {
  const { meta } = await db
    .insert(secondFactors)
    .values({ userId, secret })
    .onConflictDoUpdate({ target: secondFactors.userId, set: { secret }, setWhere: isNull(secondFactors.confirmedAt) });
  return meta.changes === 1;
}

/**
 * Sets a factor up, so that it is asked for from now on, and ends the trust in devices.
 * @param shown the code's step of time, which is used up with it, and the digest of this browser's cookie @returns
 * false when the secret was replaced, or enabled, meanwhile
 */
export async function enableFactor(
  db: Database,
  { userId, secret }: FactorRow,
  { stepOfTime, deviceHash }: { stepOfTime: number; deviceHash: string | null },
  codeHashes: string[],
  event: NewEvent,
  mail: DueMail,
): Promise<boolean> {
  const deviceSince = sql`(select ${devices.createdAt} from ${devices} where ${devices.userId} = ${userId}
    and ${devices.tokenHash} = ${deviceHash})`;
  const waits = sql`exists (select 1 from ${secondFactors} where ${secondFactors.userId} = ${userId}
    and ${secondFactors.secret} = ${secret} and ${secondFactors.confirmedAt} is null)`;
  const [, , , , , , enabled] = await db.batch([
    ...recoveryCodeStatements(db, userId, codeHashes, waits),
    distrust(db, userId, waits),
    accountEventInsert(db, event, waits),
    outboxInsert(db, mail, waits, event.at),
    raiseAccessRevision(db, sql`${userId}`, waits),
    db
      .update(secondFactors)
      .set({ confirmedAt: new Date(event.at), deviceSince, lastStep: stepOfTime })
      .where(and(eq(secondFactors.userId, userId), waits))
      .returning({ userId: secondFactors.userId }),
  ]);
  return enabled.length === 1;
}

/**
 * Counts a code as wrong before it is checked, so that many at once cannot be more than `most`.
 * @returns how many have been wrong with this one, until it is right; null when there is no factor, or no try is left
 */
export async function takeCode(db: Database, userId: string, most: number): Promise<number | null> {
  const [row] = await db
    .update(secondFactors)
    .set({ wrongCodes: sql`${secondFactors.wrongCodes} + 1` })
    .where(
      and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt), lt(secondFactors.wrongCodes, most)),
    )
    .returning({ wrongCodes: secondFactors.wrongCodes });
  return row?.wrongCodes ?? null;
}

/** For the batch in which the owner shows something else: wrong codes are forgotten. */
export function wrongCodesReset(db: Database, userId: string, condition: SQL) {
  return db
    .update(secondFactors)
    .set({ wrongCodes: 0 })
    .where(and(eq(secondFactors.userId, userId), condition));
}

/**
 * Each code of an app works once: steps of time only go up, also in a race. Forgets wrong ones.
 * @returns whether this call used it
 */
export async function useStepOfTime(db: Database, { userId, secret }: FactorRow, stepOfTime: number): Promise<boolean> {
  const { meta } = await db
    .update(secondFactors)
    .set({ lastStep: stepOfTime, wrongCodes: 0 })
    .where(
      and(
        eq(secondFactors.userId, userId),
        eq(secondFactors.secret, secret),
        isNotNull(secondFactors.confirmedAt),
        lt(secondFactors.lastStep, stepOfTime),
      ),
    );
  return meta.changes === 1;
}

/** Forgets wrong codes of the app. @returns how many are left; null when this code is unknown or used */
export async function useRecoveryCode(db: Database, codeHash: string, event: NewEvent): Promise<number | null> {
  const { userId, at } = event;
  const [used] = await db.batch([
    db
      .update(recoveryCodes)
      .set({ usedAt: new Date(at) })
      .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, codeHash), isNull(recoveryCodes.usedAt))),
    accountEventInsert(db, event, sql`changes() > 0`),
    wrongCodesReset(db, userId, sql`changes() > 0`),
  ]);
  return used.meta.changes === 1 ? countRecoveryCodes(db, userId) : null;
}

/** The former codes no longer work. @returns false when the factor was removed or replaced meanwhile */
export async function replaceRecoveryCodes(
  db: Database,
  { userId, secret }: FactorRow,
  codeHashes: string[],
  event: NewEvent,
  mail: DueMail,
): Promise<boolean> {
  const isSet = sql`exists (select 1 from ${secondFactors} where ${secondFactors.userId} = ${userId}
    and ${secondFactors.secret} = ${secret} and ${secondFactors.confirmedAt} is not null)`;
  const [, inserted] = await db.batch([
    ...recoveryCodeStatements(db, userId, codeHashes, isSet),
    accountEventInsert(db, event, isSet),
    outboxInsert(db, mail, isSet, event.at),
  ]);
  return inserted.meta.changes > 0;
}

/** Removes a factor and its recovery codes, ends the trust in devices, and ends what waits for the factor. */
export async function removeFactor(db: Database, event: NewEvent, mail: DueMail): Promise<boolean> {
  const [, , , , , removed] = await db.batch(removalStatements(db, event, mail, hasFactor(event.userId)));
  return removed.meta.changes === 1;
}

/** @param mail waits for the owner's answer @returns false when there is no factor, or a removal waits already */
export async function askForRemoval(
  db: Database,
  removal: { tokenHash: string; userId: string; expiresAt: number },
  entry: AuditEntry,
  mail: DueMail,
): Promise<boolean> {
  const { tokenHash, userId, expiresAt } = removal;
  const waits = sql`exists (select 1 from ${challenges} where ${challenges.userId} = ${userId}
    and ${challenges.kind} = 'factor-removal' and ${challenges.expiresAt} > ${entry.at})`;
  const isSaved = sql`exists (select 1 from ${challenges} where ${challenges.tokenHash} = ${tokenHash})`;
  const [saved] = await db.batch([
    db.insert(challenges).select(
      sql`select ${tokenHash}, 'factor-removal', ${userId}, '{}', 0, ${expiresAt}
        where ${hasFactor(userId)} and not ${waits}`,
    ),
    auditEntryInsert(db, entry),
    outboxInsert(db, mail, isSaved, entry.at),
  ]);
  return saved.meta.changes === 1;
}

/** @returns until when the removal that was asked for can be made, in epoch milliseconds; null without one */
export async function findRemoval(db: Database, userId: string, now: number): Promise<number | null> {
  const [row] = await db
    .select({ expiresAt: challenges.expiresAt })
    .from(challenges)
    .where(
      and(
        eq(challenges.userId, userId),
        eq(challenges.kind, "factor-removal"),
        gt(challenges.expiresAt, new Date(now)),
      ),
    )
    .limit(1);
  return row?.expiresAt.getTime() ?? null;
}

/** @returns whose removal the link of a mail refuses; null when it is unknown, used or expired */
export async function findRemovalOwner(db: Database, tokenHash: string, now: number): Promise<string | null> {
  const [row] = await db
    .select({ userId: challenges.userId })
    .from(challenges)
    .where(isRemoval(tokenHash, now))
    .limit(1);
  return row?.userId ?? null;
}

/** Notes that the owner keeps their second factor. @returns false when it was given already, or came too late */
export async function refuseRemoval(db: Database, tokenHash: string, event: NewEvent): Promise<boolean> {
  const [refused] = await db.batch([
    db.delete(challenges).where(isRemoval(tokenHash, event.at)),
    accountEventInsert(db, event, sql`changes() > 0`),
  ]);
  return refused.meta.changes === 1;
}

const isRemoval = (tokenHash: string, now: number) =>
  and(
    eq(challenges.tokenHash, tokenHash),
    eq(challenges.kind, "factor-removal"),
    gt(challenges.expiresAt, new Date(now)),
  );

/** @param openMs for so long before its end a removal can be made @returns false when none can be made now */
export async function makeRemoval(
  db: Database,
  event: NewEvent,
  openMs: number,
  entry: AuditEntry,
  mail: DueMail,
): Promise<boolean> {
  const { userId, at } = event;
  const isDue = sql`${hasFactor(userId)} and exists (select 1 from ${challenges} where ${challenges.userId} = ${userId}
    and ${challenges.kind} = 'factor-removal' and ${challenges.expiresAt} > ${at} and ${challenges.expiresAt} <= ${at + openMs})`;
  const [, , , , , , removed] = await db.batch([
    auditEntryInsert(db, entry, isDue),
    ...removalStatements(db, event, mail, isDue),
  ]);
  return removed.meta.changes === 1;
}

function hasFactor(userId: string): SQL {
  return sql`exists (select 1 from ${secondFactors} where ${secondFactors.userId} = ${userId}
    and ${secondFactors.confirmedAt} is not null)`;
}

/** The sixth of them removes the factor. The last one follows from it. */
function removalStatements(db: Database, event: NewEvent, mail: DueMail, isDue: SQL) {
  const { userId, at } = event;
  return [
    accountEventInsert(db, event, isDue),
    outboxInsert(db, mail, isDue, at),
    raiseAccessRevision(db, sql`${userId}`, isDue),
    db.delete(recoveryCodes).where(and(eq(recoveryCodes.userId, userId), isDue)),
    distrust(db, userId, isDue),
    db.delete(secondFactors).where(and(eq(secondFactors.userId, userId), isDue)),
    db
      .delete(challenges)
      .where(
        and(
          eq(challenges.userId, userId),
          inArray(challenges.kind, ["second-factor", "factor-removal"]),
          sql`not ${hasFactor(userId)}`,
        ),
      ),
  ] as const;
}

function recoveryCodeStatements(db: Database, userId: string, codeHashes: string[], condition: SQL) {
  const rows = JSON.stringify(codeHashes.map((hash) => ({ id: crypto.randomUUID(), hash })));
  return [
    db.delete(recoveryCodes).where(and(eq(recoveryCodes.userId, userId), condition)),
    db
      .insert(recoveryCodes)
      .select(sql`select value ->> 'id', ${userId}, value ->> 'hash', null from json_each(${rows}) where ${condition}`),
  ] as const;
}

function distrust(db: Database, userId: string, condition: SQL) {
  return db
    .update(devices)
    .set({ trustedUntil: null })
    .where(and(eq(devices.userId, userId), condition));
}

/** Lists the factors that a data key has sealed. @param keyId of the key */
export async function listFactorsSealedWith(db: Database, keyId: string, limit: number): Promise<FactorRow[]> {
  const prefix = `${keyId}.`;
  return db
    .select(columns)
    .from(secondFactors)
    .where(sql`substr(${secondFactors.secret}, 1, ${prefix.length}) = ${prefix}`)
    .limit(limit);
}

/** Changes nothing when a new secret was made meanwhile. @param sealed the same secret under another key */
export async function replaceSealedFactor(
  db: Database,
  { userId, secret }: FactorRow,
  sealed: string,
): Promise<boolean> {
  const { meta } = await db
    .update(secondFactors)
    .set({ secret: sealed })
    .where(and(eq(secondFactors.userId, userId), eq(secondFactors.secret, secret)));
  return meta.changes === 1;
}
