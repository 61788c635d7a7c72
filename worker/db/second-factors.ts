import { and, count, eq, gt, inArray, isNotNull, isNull, lt, sql, type SQL } from "drizzle-orm";
import { accountEventInsert, type NewEvent } from "./account-events.ts";
import { auditEntryInsert, type AuditEntry } from "./admin-audit.ts";
import type { Database } from "./client.ts";
import { outboxInsert, type DueMail } from "./mail.ts";
import { devices, recoveryCodes, secondFactors, challenges, passkeys, users } from "./schema.ts";
import { raiseAccessRevision } from "./ways-in.ts";

/**
 * Columns of a select from `users`: whether a person has a second factor, and whether a passkey. The columns are named
 * with their tables, because Drizzle omits the table in a query on one table.
 */
export const FACTOR_COLUMNS = {
  hasSecondFactor: sql`exists (select 1 from ${secondFactors}
    where ${secondFactors}.user_id = ${users}.id and ${secondFactors}.confirmed_at is not null)`.mapWith(Boolean),
  hasPasskey: sql`exists (select 1 from ${passkeys} where ${passkeys}.user_id = ${users}.id)`.mapWith(Boolean),
};

export interface FactorRow {
  userId: string;
  /** The sealed TOTP secret. */
  secret: string;
  /** Null until a code has proved that the authenticator app has the secret. */
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

/**
 * Saves a secret that waits for its first code. The new secret replaces an earlier one that still waits.
 * @returns false if a factor is enabled
 */
export async function saveNewFactor(db: Database, userId: string, secret: string): Promise<boolean> {
  const { meta } = await db
    .insert(secondFactors)
    .values({ userId, secret })
    .onConflictDoUpdate({ target: secondFactors.userId, set: { secret }, setWhere: isNull(secondFactors.confirmedAt) });
  return meta.changes === 1;
}

/**
 * Enables a second factor for coming sign-ins, and ends the trust in devices.
 * @param shown the time step of the code, which this call uses up, and the digest of this browser's cookie
 * @returns false when the secret was replaced or enabled since it was read
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
 * Counts a code as wrong before it is checked, so that parallel tries cannot exceed `most` wrong codes.
 * @returns the number of wrong codes, this one included; null when there is no factor, or no try is left
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

/**
 * The statement that resets the count of wrong codes, for the batch in which the owner proves their identity without a
 * code.
 */
export function wrongCodesReset(db: Database, userId: string, condition: SQL) {
  return db
    .update(secondFactors)
    .set({ wrongCodes: 0 })
    .where(and(eq(secondFactors.userId, userId), condition));
}

/**
 * Accepts a TOTP code once, even in a race (time steps only rise). Resets the count of wrong codes.
 * @returns whether the code was accepted
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

/**
 * Uses a recovery code up, and resets the count of wrong codes.
 * @returns the number of unused codes; null for a bad code
 */
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

/** Replaces all recovery codes. @returns false when the factor was removed or replaced since it was read */
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

/**
 * Removes a factor and its recovery codes, and ends the trust in devices and the sign-ins that wait for this factor.
 */
export async function removeFactor(db: Database, event: NewEvent, mail: DueMail): Promise<boolean> {
  const [, , , , , removed] = await db.batch(removalStatements(db, event, mail, hasFactor(event.userId)));
  return removed.meta.changes === 1;
}

/**
 * Notes a request to remove a person's second factor, and saves the `mail` that asks the person.
 * @returns false if the person has no factor, or a request already waits
 */
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

/** @returns until when the requested removal can be made, in epoch milliseconds; null if no removal is requested */
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

/** @returns the account whose factor the mailed link keeps; null when the link is unknown, used or expired */
export async function findRemovalOwner(db: Database, tokenHash: string, now: number): Promise<string | null> {
  const [row] = await db
    .select({ userId: challenges.userId })
    .from(challenges)
    .where(isRemoval(tokenHash, now))
    .limit(1);
  return row?.userId ?? null;
}

/** Notes that the owner keeps their second factor. @returns false when the link was used already or has expired */
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

/**
 * Removes a second factor whose removal was requested.
 * @param openMs how long before its expiry a request can be used
 * @returns whether the factor was removed
 */
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

/** The statements that remove a second factor: the sixth removes it, and the last depends on whether the sixth did. */
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

/** Lists the factors that a data key has sealed. @param keyId the data key's id */
export async function listFactorsSealedWith(db: Database, keyId: string, limit: number): Promise<FactorRow[]> {
  const prefix = `${keyId}.`;
  return db
    .select(columns)
    .from(secondFactors)
    .where(sql`substr(${secondFactors.secret}, 1, ${prefix.length}) = ${prefix}`)
    .limit(limit);
}

/**
 * Changes nothing when the secret was replaced since it was read.
 * @param sealed the same secret, sealed by another data key
 */
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
