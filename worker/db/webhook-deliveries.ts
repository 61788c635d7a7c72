import { and, desc, eq, gt, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import type { Database } from "./client.ts";
import { outboxInsert, type DueMail } from "./mail.ts";
import { retryIdempotent } from "./retries.ts";
import { webhookDeliveries, webhooks } from "./schema.ts";
import { endOfWaiting } from "./webhooks.ts";

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;
export type DeliveryError = NonNullable<DeliveryRow["lastError"]>;

/** Literals, because SQLite does not use the partial index with parameters. */
const isOpen = sql`${webhookDeliveries.state} in ('collecting', 'waiting')`;

/**
 * Marks due deliveries as given to the queue. Webhooks take turns, so that a webhook with many due deliveries does not
 * hold up the others. @param now epoch milliseconds @param lateSince epoch milliseconds: what was given to the queue until
 * then, and nobody has taken, is given once more @returns their ids
 */
export async function markQueued(db: Database, now: number, lateSince: number, limit: number): Promise<string[]> {
  const turn = sql`row_number() over (partition by ${webhookDeliveries.webhookId} order by ${webhookDeliveries.nextAttemptAt})`;
  const due = db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(
      and(
        isOpen,
        lte(webhookDeliveries.nextAttemptAt, new Date(now)),
        or(isNull(webhookDeliveries.queuedAt), lte(webhookDeliveries.queuedAt, new Date(lateSince))),
      ),
    )
    .orderBy(turn, webhookDeliveries.nextAttemptAt)
    .limit(limit);
  // A batch of one statement, because only a batch's result contains the statement's cost.
  const [marked] = await db.batch([
    db
      .update(webhookDeliveries)
      .set({ queuedAt: new Date(now) })
      .where(sql`${webhookDeliveries.id} in ${due}`)
      .returning({ id: webhookDeliveries.id }),
  ]);
  return marked.map(({ id }) => id);
}

/**
 * Takes those of the deliveries that are due: nobody else gets them before `until`. They stop collecting downloads.
 * @param now and `until`: epoch milliseconds
 */
export async function takeDeliveries(
  db: Database,
  ids: readonly string[],
  now: number,
  until: number,
): Promise<DeliveryRow[]> {
  const isOne = sql`${webhookDeliveries.id} in (select value from json_each(${JSON.stringify(ids)}))`;
  const [taken] = await db.batch([
    db
      .update(webhookDeliveries)
      .set({ state: "waiting", nextAttemptAt: new Date(until), queuedAt: null })
      .where(and(isOne, isOpen, lte(webhookDeliveries.nextAttemptAt, new Date(now))))
      .returning(),
  ]);
  return taken;
}

/**
 * Reserves a delivery in any state, to send it again. The delivery stops collecting downloads.
 * @param webhookId the caller's own webhook @param until epoch milliseconds
 * @returns null when the delivery is unknown
 */
export async function claimDelivery(
  db: Database,
  webhookId: string,
  id: string,
  until: number,
): Promise<DeliveryRow | null> {
  const [row] = await db
    .update(webhookDeliveries)
    .set({
      state: sql`iif(${webhookDeliveries.state} = 'collecting', 'waiting', ${webhookDeliveries.state})`,
      nextAttemptAt: new Date(until),
      queuedAt: null,
    })
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.webhookId, webhookId)))
    .returning();
  return row ?? null;
}

/** @param webhookId the caller's own webhook @returns null when the delivery is unknown */
export async function findDelivery(db: Database, webhookId: string, id: string): Promise<DeliveryRow | null> {
  const [row] = await db
    .select()
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.webhookId, webhookId)))
    .limit(1);
  return row ?? null;
}

/** Inserts a ping, which is sent once by this call and never by the cron. @param now epoch milliseconds */
export async function insertPing(db: Database, webhookId: string, now: number): Promise<DeliveryRow> {
  const id = crypto.randomUUID();
  const at = new Date(now);
  const [row] = await db
    .insert(webhookDeliveries)
    .values({
      id,
      webhookId,
      fileId: null,
      eventId: id,
      type: "ping",
      payload: JSON.stringify({ webhookId }),
      state: "failed",
      nextAttemptAt: at,
      createdAt: at,
    })
    .returning();
  if (!row) throw new Error("the ping was not saved");
  return row;
}

/** The result of a try. Times are epoch milliseconds. */
export interface AttemptRecord {
  isDelivered: boolean;
  status: number | null;
  error: DeliveryError | null;
  at: number;
  /** Null when no try follows. */
  nextAttemptAt: number | null;
}

/**
 * Stores a try's result, unless another try was stored meanwhile. A failed ping does not mark the webhook as failing.
 * @returns the time since which the webhook has only failed, epoch milliseconds; null after a success
 */
export async function recordAttempt(
  db: Database,
  { id, webhookId, attempts, type }: DeliveryRow,
  { isDelivered, status, error, at, nextAttemptAt }: AttemptRecord,
): Promise<number | null> {
  const failed = nextAttemptAt === null ? "failed" : "waiting";
  const own = eq(webhooks.id, webhookId);
  const [, , rows] = await retryIdempotent(() =>
    db.batch([
      db
        .update(webhookDeliveries)
        .set({
          state: isDelivered ? "delivered" : failed,
          attempts: attempts + 1,
          ...(nextAttemptAt === null ? {} : { nextAttemptAt: new Date(nextAttemptAt) }),
          lastStatus: status,
          lastError: error,
        })
        .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.attempts, attempts))),
      isDelivered
        ? db
            .update(webhooks)
            .set({ failingSince: null })
            .where(and(own, isNotNull(webhooks.failingSince)))
        : db
            .update(webhooks)
            .set({ failingSince: new Date(at) })
            .where(and(own, isNull(webhooks.failingSince), type === "ping" ? sql`false` : sql`true`)),
      db.select({ failingSince: webhooks.failingSince }).from(webhooks).where(own),
    ]),
  );
  return rows[0]?.failingSince?.getTime() ?? null;
}

/**
 * Switches a webhook off, and fails its waiting deliveries. @param mail to the owner, saved in the same transaction
 * @returns whether this call switched the webhook off
 */
export async function disableWebhook(db: Database, webhookId: string, mail: DueMail, now: number): Promise<boolean> {
  const isOn = sql`exists (select 1 from ${webhooks} where ${webhooks.id} = ${webhookId} and ${webhooks.disabledAt} is null)`;
  const [, disabled] = await db.batch([
    outboxInsert(db, mail, isOn, now),
    db
      .update(webhooks)
      .set({ disabledAt: new Date(now) })
      .where(and(eq(webhooks.id, webhookId), isNull(webhooks.disabledAt))),
    endOfWaiting(db, webhookId),
  ]);
  return disabled.meta.changes === 1;
}

export const DELIVERIES_PER_PAGE = 50;

/** The position of a row in a list sorted from new to old. */
export interface DeliveryCursor {
  /** Epoch milliseconds. */
  createdAt: number;
  id: string;
}

/**
 * Newest first, with a row beyond the page if more follow. @param since epoch milliseconds @param after null: page 1
 */
export async function listDeliveries(
  db: Database,
  webhookId: string,
  since: number,
  after: DeliveryCursor | null,
): Promise<DeliveryRow[]> {
  const isAfter =
    after === null
      ? undefined
      : sql`(${webhookDeliveries.createdAt}, ${webhookDeliveries.id}) < (${after.createdAt}, ${after.id})`;
  return db
    .select()
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, webhookId), gt(webhookDeliveries.createdAt, new Date(since)), isAfter))
    .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id))
    .limit(DELIVERIES_PER_PAGE + 1);
}
