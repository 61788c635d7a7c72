import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "./columns.ts";

/** Stripe's events that have been dealt with. */
export const stripeEvents = sqliteTable(
  "stripe_events",
  {
    /** Stripe's own: evt_… */
    id: text().primaryKey(),
    type: text().notNull(),
    handledAt: moment().notNull(),
  },
  (table) => [index("stripe_events_handled").on(table.handledAt)],
);
