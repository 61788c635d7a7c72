import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { DELIVERY_TYPES, type WebhookEvent } from "#domain/webhooks/events.ts";
import { ownerId } from "./accounts.ts";
import { createdAt, id, oneOf, timestamp } from "./columns.ts";

/**
 * `collecting`: downloads are still added. `waiting`: for its first or its next try. `failed`: no further try by itself.
 */
const DELIVERY_STATES = ["collecting", "waiting", "delivered", "failed"] as const;
/** Why a try had no answer. */
const DELIVERY_ERRORS = ["timeout", "unreachable", "address", "secret"] as const;

export const webhooks = sqliteTable(
  "webhooks",
  {
    id: id(),
    userId: ownerId(),
    url: text().notNull(),
    /** JSON. Not in a CHECK, because the list of events grows. */
    events: text({ mode: "json" }).$type<WebhookEvent[]>().notNull(),
    /** Sealed with `DATA_KEY`. */
    secret: text().notNull(),
    /** Signs too until `formerUntil`. */
    formerSecret: text(),
    formerUntil: timestamp(),
    createdAt: createdAt(),
    /** When the first try failed after the last success; null after a success. */
    failingSince: timestamp(),
    /** Null for a webhook that gets events. */
    disabledAt: timestamp(),
  },
  (table) => [index("webhooks_owner").on(table.userId)],
);

export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    id: id(),
    webhookId: text()
      .notNull()
      .references(() => webhooks.id, { onDelete: "cascade" }),
    /** Null for a ping. Its row may be gone. */
    fileId: text(),
    /** The receiver's `webhook-id`: the same at each try. */
    eventId: text().notNull(),
    type: text({ enum: DELIVERY_TYPES }).notNull(),
    /** JSON (domain/webhooks/events.ts). */
    payload: text().notNull(),
    state: text({ enum: DELIVERY_STATES }).notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: timestamp().notNull(),
    /** The status that answered the last try. Null before it, and without an answer. */
    lastStatus: integer(),
    lastError: text({ enum: DELIVERY_ERRORS }),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("webhook_deliveries_event").on(table.eventId, table.webhookId),
    uniqueIndex("webhook_deliveries_collecting")
      .on(table.webhookId, table.fileId)
      .where(sql`${table.state} = 'collecting'`),
    index("webhook_deliveries_due")
      .on(table.nextAttemptAt)
      .where(sql`${table.state} in ('collecting', 'waiting')`),
    index("webhook_deliveries_newest").on(table.webhookId, table.createdAt),
    index("webhook_deliveries_age").on(table.createdAt),
    check("webhook_deliveries_state", oneOf(table.state, DELIVERY_STATES)),
  ],
);
