import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { DELIVERY_TYPES, type WebhookEvent } from "#domain/webhooks/events.ts";
import { ownerId } from "./accounts.ts";
import { createdAt, id, oneOf, timestamp } from "./columns.ts";

/** `collecting`: more downloads may be added. `waiting`: a try is due later. `failed`: no automatic retry follows. */
const DELIVERY_STATES = ["collecting", "waiting", "delivered", "failed"] as const;
/** Reasons why a try got no HTTP response. */
const DELIVERY_ERRORS = ["timeout", "unreachable", "address", "secret"] as const;

export const webhooks = sqliteTable(
  "webhooks",
  {
    id: id(),
    userId: ownerId(),
    url: text().notNull(),
    /** The names of events as a JSON list. The column has no CHECK, because the list of events grows. */
    events: text({ mode: "json" }).$type<WebhookEvent[]>().notNull(),
    /** The signing secret, sealed with `DATA_KEY`. */
    secret: text().notNull(),
    /** The previous secret, which signs deliveries together with the new secret until `formerUntil`. */
    formerSecret: text(),
    formerUntil: timestamp(),
    createdAt: createdAt(),
    /** The time of the first failed try since the last success; null after a success. */
    failingSince: timestamp(),
    /** When the webhook was switched off; null for an active webhook. */
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
    /** The file or transfer of the event, whose row may be deleted already. Null for a ping. */
    fileId: text(),
    /** The header `webhook-id`, the same at each try. */
    eventId: text().notNull(),
    type: text({ enum: DELIVERY_TYPES }).notNull(),
    /** The event as JSON, defined in domain/webhooks/events.ts. */
    payload: text().notNull(),
    state: text({ enum: DELIVERY_STATES }).notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: timestamp().notNull(),
    /** When the next try was given to the queue; null before, and from the moment that a consumer takes it. */
    queuedAt: timestamp(),
    /**
     * The HTTP status that the receiver answered to the last try. Null before the first try, and after a try without a
     * response.
     */
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
