import { and, eq, sql, type SQL } from "drizzle-orm";
import { hasRunOut } from "#domain/api-keys.ts";
import type { Database } from "./client.ts";
import { apiKeys, files, users } from "./schema.ts";

/** What a key has used of the month that its person is in. */
const usedNow = sql`case when ${apiKeys.monthStart} = ${users.currentPeriodStart} then ${apiKeys.monthUsed} else 0 end`;

/**
 * For a statement that reads `users`: whether the key still works and its month has room.
 * @param key its id @param bytes to be sent @param now epoch milliseconds
 */
export function keyHasRoom(key: SQL, bytes: SQL, now: number): SQL {
  return sql`exists (select 1 from ${apiKeys}
    where ${apiKeys.id} = ${key} and ${apiKeys.revokedAt} is null
      and (${apiKeys.expiresAt} is null or ${apiKeys.expiresAt} > ${now})
      and (${apiKeys.monthBytes} is null or (${usedNow}) + ${bytes} <= ${apiKeys.monthBytes}))`;
}

/** @param bytes taken from the month of the key @param condition on the row of `users` and that of the key */
export function takeFromKey(db: Database, keyId: string, bytes: number, condition: SQL) {
  return db
    .update(apiKeys)
    .set({ monthUsed: sql`(${usedNow}) + ${bytes}`, monthStart: sql`${users.currentPeriodStart}` })
    .from(users)
    .where(and(eq(apiKeys.id, keyId), eq(users.id, apiKeys.userId), condition));
}

/**
 * Gives bytes back to the key that started an upload, if its month is still the one that they were taken from.
 * @param bytes per row of `files` @param condition on that row
 */
export function giveBackToKey(db: Database, fileId: string, bytes: SQL, condition: SQL | undefined) {
  return db
    .update(apiKeys)
    .set({ monthUsed: sql`max(0, ${apiKeys.monthUsed} - ${bytes})` })
    .from(files)
    .where(
      and(
        eq(files.id, fileId),
        eq(apiKeys.id, files.apiKeyId),
        eq(apiKeys.monthStart, files.reservedPeriodStart),
        condition,
      ),
    );
}

/** Takes more for a transfer that grows. @param added bytes per row of `files` @param condition on all three rows */
export function takeMoreFromKey(db: Database, fileId: string, added: SQL, condition: SQL | undefined) {
  return db
    .update(apiKeys)
    .set({ monthUsed: sql`(${usedNow}) + ${added}`, monthStart: sql`${users.currentPeriodStart}` })
    .from(files)
    .innerJoin(users, eq(users.id, files.userId))
    .where(and(eq(files.id, fileId), eq(apiKeys.id, files.apiKeyId), condition));
}

/** What a key has sent in its person's month, in bytes. */
export async function findKeyUse(db: Database, keyId: string): Promise<number> {
  return (await findMonth(db, keyId))?.used ?? 0;
}

/**
 * What a key has left to send this month. @param now epoch milliseconds
 * @returns bytes, `Infinity` for a key without a limit; null for a key that was revoked, has run out or is gone
 */
export async function findKeyRoom(db: Database, keyId: string, now: number): Promise<number | null> {
  const key = await findMonth(db, keyId);
  if (key === null || key.revokedAt !== null || hasRunOut(key.expiresAt?.getTime() ?? null, now)) return null;
  return key.monthBytes === null ? Infinity : Math.max(0, key.monthBytes - key.used);
}

async function findMonth(db: Database, keyId: string) {
  const { monthBytes, revokedAt, expiresAt } = apiKeys;
  const [row] = await db
    .select({ monthBytes, revokedAt, expiresAt, used: sql<number>`${usedNow}` })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(eq(apiKeys.id, keyId));
  return row ?? null;
}
