import { and, desc, eq, isNotNull, isNull, lte, or, sql, type SQL } from "drizzle-orm";
import type { KeySource } from "#domain/api-keys.ts";
import type { Database } from "./client.ts";
import { outboxInsert, type DueMail } from "./mail.ts";
import { retryIdempotent } from "./retries.ts";
import { apiKeys, users } from "./schema.ts";

export type ApiKeyRow = typeof apiKeys.$inferSelect;
export type NewApiKey = Omit<
  ApiKeyRow,
  "revokedAt" | "lastUsedAt" | "lastUsedAddress" | "monthUsed" | "monthStart" | "browserUse"
> & { browserUse: boolean };

/** The key of a call of `/api/v1`, with its owner's columns. Times are epoch milliseconds, flags 0 or 1. */
export interface PresentedKey {
  id: string;
  name: string;
  lastFour: string;
  /** A JSON list of scopes. */
  scopes: string;
  expiresAt: number | null;
  revokedAt: number | null;
  lastUsedAt: number | null;
  callsPerMinute: number;
  monthBytes: number | null;
  largestFileBytes: number | null;
  browserUse: number;
  source: KeySource;
  userId: string;
  email: string;
  isVerified: number;
  planType: string;
  deletedAt: number | null;
  suspendedAt: number | null;
}

/** Handwritten SQL, because the query runs with every call of `/api/v1` (see worker/db/client.ts). */
const BY_HASH = `
  select api_keys.id as id, name, last_four as lastFour, scopes, expires_at as expiresAt, revoked_at as revokedAt,
    last_used_at as lastUsedAt, calls_per_minute as callsPerMinute, month_bytes as monthBytes,
    largest_file_bytes as largestFileBytes, browser_use as browserUse, source, users.id as userId, users.email as email,
    users.is_verified as isVerified, users.plan_type as planType, users.deleted_at as deletedAt,
    users.suspended_at as suspendedAt
  from api_keys join users on users.id = api_keys.user_id
  where api_keys.key_hash = ? limit 1`;

/** Finds a key, even one that is revoked or expired. @param hash SHA-256 of the key in hex */
export async function findPresentedKey(db: Database, hash: string): Promise<PresentedKey | null> {
  return db.$client.prepare(BY_HASH).bind(hash).first<PresentedKey>();
}

function lives(now: number) {
  return and(isNull(apiKeys.revokedAt), or(isNull(apiKeys.expiresAt), sql`${apiKeys.expiresAt} > ${now}`));
}

/**
 * Inserts a key and the mail about the key in one transaction. @param now epoch milliseconds
 * @returns false when the person has `maxLiving` keys, or is being deleted
 */
export async function insertKey(
  db: Database,
  key: NewApiKey,
  maxLiving: number,
  mail: DueMail,
  now: number,
): Promise<boolean> {
  const [inserted] = await db.batch(keyInserts(db, key, maxLiving, mail, now));
  return inserted.meta.changes === 1;
}

/**
 * The statements that insert a key and the mail about the key, for a batch. These statements insert nothing if the
 * person has `maxLiving` keys or is being deleted.
 * @param condition a further condition for inserting the key
 */
export function keyInserts(
  db: Database,
  key: NewApiKey,
  maxLiving: number,
  mail: DueMail,
  now: number,
  condition: SQL = sql`true`,
) {
  const at = (moment: Date | null) => (moment === null ? null : moment.getTime());
  return [
    db.insert(apiKeys).select(sql`
      select ${key.id}, ${users.id}, ${key.name}, ${key.keyHash}, ${key.lastFour}, ${JSON.stringify(key.scopes)},
        ${key.createdAt.getTime()}, ${at(key.expiresAt)}, null, null, null, ${key.callsPerMinute}, ${key.monthBytes},
        ${key.largestFileBytes}, 0, null, ${key.browserUse ? 1 : 0}, ${key.source}, ${at(key.remindAt)}
      from ${users} where ${users.id} = ${key.userId} and ${mayHaveAnother(db, key.userId, maxLiving, now)}
        and ${condition}`),
    outboxInsert(db, mail, sql`exists (select 1 from ${apiKeys} where ${apiKeys.id} = ${key.id})`, now),
  ] as const;
}

/**
 * A condition in statements on `users`: the person is neither being deleted nor suspended, and has fewer than
 * `maxLiving` valid keys.
 */
export function mayHaveAnother(db: Database, userId: string, maxLiving: number, now: number): SQL {
  const living = db
    .select({ n: sql`count(*)` })
    .from(apiKeys)
    .where(and(eq(apiKeys.userId, userId), lives(now)));
  return sql`${users.deletedAt} is null and ${users.suspendedAt} is null and (${living}) < ${maxLiving}`;
}

/** Lists a person's keys, newest first, including expired keys, without revoked ones. */
export async function listKeysOf(db: Database, userId: string): Promise<ApiKeyRow[]> {
  return db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt)))
    .orderBy(desc(apiKeys.createdAt), desc(sql`${apiKeys}.rowid`));
}

/** A person's valid keys, newest first, with the columns that a mail shows. @param now epoch milliseconds */
export async function listLivingKeysOf(
  db: Database,
  userId: string,
  now: number,
): Promise<Pick<ApiKeyRow, "id" | "name" | "lastFour">[]> {
  return db
    .select({ id: apiKeys.id, name: apiKeys.name, lastFour: apiKeys.lastFour })
    .from(apiKeys)
    .where(and(eq(apiKeys.userId, userId), lives(now)))
    .orderBy(desc(apiKeys.createdAt), desc(sql`${apiKeys}.rowid`));
}

/** Changes the given columns. @returns the changed key; null when the person has no such key, or has revoked it */
export async function updateKey(
  db: Database,
  userId: string,
  id: string,
  change: Partial<Pick<ApiKeyRow, "name" | "callsPerMinute" | "monthBytes" | "largestFileBytes">>,
): Promise<ApiKeyRow | null> {
  const [row] = await db
    .update(apiKeys)
    .set(change)
    .where(and(eq(apiKeys.id, id), eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt)))
    .returning();
  return row ?? null;
}

/** Revokes a person's key. Idempotent. @returns false when the person has no such key */
export async function revokeKeyOf(db: Database, userId: string, id: string, now: number): Promise<boolean> {
  const { meta } = await retryIdempotent(() =>
    db
      .update(apiKeys)
      .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${now})`, remindAt: null })
      .where(and(eq(apiKeys.id, id), eq(apiKeys.userId, userId))),
  );
  return meta.changes === 1;
}

/**
 * The statement that revokes all keys of an account if `condition` holds, for the batch that ends the account's ways
 * in.
 */
export function keysRevocation(db: Database, userId: string, now: number, condition?: SQL) {
  return db
    .update(apiKeys)
    .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${now})`, remindAt: null })
    .where(and(eq(apiKeys.userId, userId), condition));
}

/** Notes the last use of a key. @param before a key used after this time stays unchanged; epoch milliseconds */
export async function noteKeyUse(
  db: Database,
  id: string,
  shortIp: string,
  { now, before }: { now: number; before: number },
): Promise<void> {
  await db
    .update(apiKeys)
    .set({ lastUsedAt: new Date(now), lastUsedAddress: shortIp })
    .where(and(eq(apiKeys.id, id), or(isNull(apiKeys.lastUsedAt), lte(apiKeys.lastUsedAt, new Date(before)))));
}

/** Keys that expire soon and whose owner has not been reminded, with the owner's address. */
export async function listKeysToRemind(
  db: Database,
  now: number,
  limit: number,
): Promise<{ key: ApiKeyRow; email: string }[]> {
  return db
    .select({ key: apiKeys, email: users.email })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(and(isNotNull(apiKeys.remindAt), lte(apiKeys.remindAt, new Date(now)), isNull(users.deletedAt)))
    .orderBy(apiKeys.remindAt)
    .limit(limit);
}

/** Saves a reminder mail once, even if several runs overlap. @returns whether this call saved the mail */
export async function saveReminder(db: Database, id: string, mail: DueMail, now: number): Promise<boolean> {
  const isDue = and(eq(apiKeys.id, id), isNotNull(apiKeys.remindAt), lives(now));
  const [saved] = await db.batch([
    outboxInsert(db, mail, sql`exists (select 1 from ${apiKeys} where ${isDue})`, now),
    db.update(apiKeys).set({ remindAt: null }).where(eq(apiKeys.id, id)),
  ]);
  return saved.meta.changes === 1;
}

/** Deletes keys revoked or expired up to `before` (epoch milliseconds). @returns the number of deleted rows */
export async function deleteEndedKeys(db: Database, before: number, limit: number): Promise<number> {
  const at = new Date(before);
  const ended = db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(or(lte(apiKeys.revokedAt, at), lte(apiKeys.expiresAt, at)))
    .limit(limit);
  const { meta } = await db.delete(apiKeys).where(sql`${apiKeys.id} in ${ended}`);
  return meta.changes;
}
