import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/** Handled events. */
export const stripeEvents = sqliteTable(
  "stripe_events",
  {
    /** Stripe's id: evt_… */
    id: text().primaryKey(),
    type: text().notNull(),
    handledAt: timestamp().notNull(),
  },
  (table) => [index("stripe_events_handled").on(table.handledAt)],
);
