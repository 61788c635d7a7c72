import { and, eq, sql, type SQL } from "drizzle-orm";
import { hasRunOut } from "#domain/api-keys.ts";
import type { Database } from "./client.ts";
import { apiKeys, files, users } from "./schema.ts";

/** The bytes that a key has used in its owner's present billing month. */
const usedNow = sql`case when ${apiKeys.monthStart} = ${users.currentPeriodStart} then ${apiKeys.monthUsed} else 0 end`;

/**
 * A condition in statements that read `users`: the key is valid, and its month has room for the bytes.
 * @param key the key's id
 * @param bytes the bytes to send
 * @param now epoch milliseconds
 */
export function keyHasRoom(key: SQL, bytes: SQL, now: number): SQL {
  return sql`exists (select 1 from ${apiKeys}
    where ${apiKeys.id} = ${key} and ${apiKeys.revokedAt} is null
      and (${apiKeys.expiresAt} is null or ${apiKeys.expiresAt} > ${now})
      and (${apiKeys.monthBytes} is null or (${usedNow}) + ${bytes} <= ${apiKeys.monthBytes}))`;
}

/** The statement that takes bytes from a key's month. @param condition on the row of `users` and the row of the key */
export function takeFromKey(db: Database, keyId: string, bytes: number, condition: SQL) {
  return db
    .update(apiKeys)
    .set({ monthUsed: sql`(${usedNow}) + ${bytes}`, monthStart: sql`${users.currentPeriodStart}` })
    .from(users)
    .where(and(eq(apiKeys.id, keyId), eq(users.id, apiKeys.userId), condition));
}

/**
 * The statement that returns bytes to the month of the key that started an upload, unless a new month has begun since
 * the start.
 * @param bytes an expression on the row of `files`
 * @param condition on the row of `files`
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

/**
 * The statement that takes bytes for a growing transfer from its key's month.
 * @param added the number of bytes, an expression on the row of `files`
 * @param condition on the rows of `files`, `users` and `api_keys`
 */
export function takeMoreFromKey(db: Database, fileId: string, added: SQL, condition: SQL | undefined) {
  return db
    .update(apiKeys)
    .set({ monthUsed: sql`(${usedNow}) + ${added}`, monthStart: sql`${users.currentPeriodStart}` })
    .from(files)
    .innerJoin(users, eq(users.id, files.userId))
    .where(and(eq(files.id, fileId), eq(apiKeys.id, files.apiKeyId), condition));
}

/** The bytes that a key has sent in its owner's present billing month. */
export async function findKeyUse(db: Database, keyId: string): Promise<number> {
  return (await findMonth(db, keyId))?.used ?? 0;
}

/**
 * The bytes that a key may still send this month. @param now epoch milliseconds
 * @returns `Infinity` for a key without a limit; null for a key that was revoked, has expired or does not exist
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
