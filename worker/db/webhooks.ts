import { and, asc, eq, inArray, isNotNull, isNull, or, sql, type SQL } from "drizzle-orm";
import type { WebhookEvent } from "#domain/webhooks/events.ts";
import { accountEventInsert, type NewEvent } from "./account-events.ts";
import type { Database } from "./client.ts";
import { outboxInsert, type DueMail } from "./mail.ts";
import { retryIdempotent } from "./retries.ts";
import { users, webhookDeliveries, webhooks } from "./schema.ts";

export type WebhookRow = typeof webhooks.$inferSelect;

export interface NewWebhook {
  id: string;
  userId: string;
  url: string;
  events: WebhookEvent[];
  /** The sealed signing secret. */
  secret: string;
  /** Epoch milliseconds. */
  createdAt: number;
}

/**
 * @param most how many webhooks the owner's plan allows
 * @param mail the mail to the owner, saved in the same transaction
 * @returns false when the owner has `most` webhooks, or the account is being deleted
 */
export async function insertWebhook(
  db: Database,
  webhook: NewWebhook,
  most: number,
  event: NewEvent,
  mail: DueMail,
): Promise<boolean> {
  const { id, userId, url, events, secret, createdAt } = webhook;
  const count = sql`(select count(*) from ${webhooks} where ${webhooks.userId} = ${userId})`;
  const [inserted] = await db.batch([
    db.insert(webhooks).select(sql`
      select ${id}, ${userId}, ${url}, ${JSON.stringify(events)}, ${secret}, null, null, ${createdAt}, null, null
      from ${users} where ${users.id} = ${userId} and ${users.deletedAt} is null and ${count} < ${most}`),
    accountEventInsert(db, event, sql`changes() > 0`),
    outboxInsert(db, mail, sql`changes() > 0`, event.at),
  ]);
  return inserted.meta.changes === 1;
}

/** Lists an owner's webhooks, oldest first. */
export async function listWebhooksOf(db: Database, userId: string): Promise<WebhookRow[]> {
  return db.select().from(webhooks).where(eq(webhooks.userId, userId)).orderBy(asc(webhooks.createdAt));
}

/** @returns null when the owner has no such webhook */
export async function findWebhook(db: Database, userId: string, id: string): Promise<WebhookRow | null> {
  const [row] = await db
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.id, id), eq(webhooks.userId, userId)))
    .limit(1);
  return row ?? null;
}

export async function findWebhooks(db: Database, ids: string[]): Promise<WebhookRow[]> {
  return ids.length === 0 ? [] : db.select().from(webhooks).where(inArray(webhooks.id, ids));
}

/** A change of a webhook. An absent value stays unchanged. */
export interface WebhookChange {
  events?: WebhookEvent[];
  /** Switches the webhook on or off. On also forgets earlier failures; off also fails the waiting deliveries. */
  enabled?: boolean;
}

/** @param now epoch milliseconds @returns the changed row; null when the owner has no such webhook */
export async function updateWebhook(
  db: Database,
  userId: string,
  id: string,
  change: WebhookChange,
  now: number,
): Promise<WebhookRow | null> {
  const [[row]] = await db.batch(changeStatements(db, userId, id, change, now));
  return row ?? null;
}

/**
 * Does what `updateWebhook` does, with a new address.
 * @param event the event that notes the new address
 * @param mail the mail that tells the owner
 */
export async function moveWebhook(
  db: Database,
  id: string,
  url: string,
  change: WebhookChange,
  event: NewEvent,
  mail: DueMail,
): Promise<{ row: WebhookRow | null; isMoved: boolean }> {
  const { userId, at } = event;
  const isMoving = sql`exists (select 1 from ${webhooks} where ${webhooks.id} = ${id}
    and ${webhooks.userId} = ${userId} and ${webhooks.url} <> ${url})`;
  const [noted, , [row]] = await db.batch([
    accountEventInsert(db, event, isMoving),
    outboxInsert(db, mail, isMoving, at),
    ...changeStatements(db, userId, id, { url, ...change }, at),
  ]);
  return { row: row ?? null, isMoved: noted.meta.changes > 0 };
}

/** The statements of a webhook's change. The first statement returns the changed row. */
function changeStatements(
  db: Database,
  userId: string,
  id: string,
  { enabled, ...words }: { url?: string } & WebhookChange,
  now: number,
) {
  const update = db
    .update(webhooks)
    .set({
      // Sets `id`, because an UPDATE must set at least one column.
      id,
      ...words,
      ...(enabled === true ? { failingSince: null, disabledAt: null } : {}),
      ...(enabled === false ? { disabledAt: sql`coalesce(${webhooks.disabledAt}, ${now})` } : {}),
    })
    .where(and(eq(webhooks.id, id), eq(webhooks.userId, userId)))
    .returning();
  return [update, ...(enabled === false ? [endOfWaiting(db, id)] : [])] as const;
}

/**
 * The statement that fails a webhook's waiting deliveries. In the batch, this statement follows the one that switches
 * the webhook off.
 */
export function endOfWaiting(db: Database, id: string) {
  return endOfWaitingWhere(db, eq(webhooks.id, id));
}

/**
 * The statements that switch an account's webhooks off and fail their deliveries, for the batch that locks strangers
 * out of the account, or suspends it.
 */
export function webhooksOff(db: Database, userId: string, now: number, condition: SQL) {
  return [
    db
      .update(webhooks)
      .set({ disabledAt: new Date(now) })
      .where(and(eq(webhooks.userId, userId), isNull(webhooks.disabledAt), condition)),
    endOfWaitingWhere(db, and(eq(webhooks.userId, userId), condition)),
  ] as const;
}

function endOfWaitingWhere(db: Database, which: SQL | undefined) {
  const off = db
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(and(which, isNotNull(webhooks.disabledAt)));
  return (
    db
      .update(webhookDeliveries)
      .set({ state: "failed" })
      // The states are literals, because SQLite does not use the partial index with parameters.
      .where(
        and(inArray(webhookDeliveries.webhookId, off), sql`${webhookDeliveries.state} in ('collecting', 'waiting')`),
      )
  );
}

/**
 * Replaces a webhook's secret, which becomes the former secret.
 * @param secret the new secret, sealed
 * @param formerUntil epoch milliseconds
 * @returns the changed row; null when the owner has no such webhook
 */
export async function rotateSecret(
  db: Database,
  userId: string,
  id: string,
  secret: string,
  formerUntil: number,
): Promise<WebhookRow | null> {
  const [row] = await db
    .update(webhooks)
    .set({ secret, formerSecret: sql`${webhooks.secret}`, formerUntil: new Date(formerUntil) })
    .where(and(eq(webhooks.id, id), eq(webhooks.userId, userId)))
    .returning();
  return row ?? null;
}

/** Lists webhooks with a secret that the data key has sealed. @param keyId the data key's id */
export async function listSealedWith(db: Database, keyId: string, limit: number): Promise<WebhookRow[]> {
  const prefix = `${keyId}.`;
  const isSealedWith = (column: typeof webhooks.secret | typeof webhooks.formerSecret) =>
    sql`substr(${column}, 1, ${prefix.length}) = ${prefix}`;
  return db
    .select()
    .from(webhooks)
    .where(or(isSealedWith(webhooks.secret), isSealedWith(webhooks.formerSecret)))
    .limit(limit);
}

/**
 * Changes nothing when the secret was replaced since it was read.
 * @param sealed the same secrets, sealed by another data key
 */
export async function replaceSealedSecrets(
  db: Database,
  { id, secret, formerSecret }: WebhookRow,
  sealed: Pick<WebhookRow, "secret" | "formerSecret">,
): Promise<boolean> {
  const { meta } = await db
    .update(webhooks)
    .set(sealed)
    .where(and(eq(webhooks.id, id), eq(webhooks.secret, secret), sql`${webhooks.formerSecret} is ${formerSecret}`));
  return meta.changes === 1;
}

/** Deletes a webhook with its deliveries. @returns false when the owner has no such webhook */
export async function deleteWebhook(db: Database, userId: string, id: string): Promise<boolean> {
  const rows = await db
    .delete(webhooks)
    .where(and(eq(webhooks.id, id), eq(webhooks.userId, userId)))
    .returning({ id: webhooks.id });
  return rows.length === 1;
}

/** The owner's address; null once the account is being deleted. */
export async function findOwnerEmail(db: Database, userId: string): Promise<string | null> {
  const [row] = await retryIdempotent(() =>
    db
      .select({ email: users.email })
      .from(users)
      .where(and(eq(users.id, userId), isNull(users.deletedAt)))
      .limit(1),
  );
  return row?.email ?? null;
}
