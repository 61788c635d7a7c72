import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, id, timestamp } from "./columns.ts";

/** Mail that the provider has not accepted yet. */
export const mailOutbox = sqliteTable(
  "mail_outbox",
  {
    id: id(),
    to: text().notNull(),
    subject: text().notNull(),
    html: text().notNull(),
    text: text().notNull(),
    /** Mail headers that the provider does not set itself, by name. */
    headers: text({ mode: "json" }).$type<Record<string, string>>(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: timestamp().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index("mail_outbox_due").on(table.nextAttemptAt)],
);

/** Mails that the local mail transport stores instead of sending. */
export const localMailbox = sqliteTable(
  "local_mailbox",
  {
    id: id(),
    to: text().notNull(),
    subject: text().notNull(),
    html: text().notNull(),
    text: text().notNull(),
    headers: text({ mode: "json" }).$type<Record<string, string>>(),
    sentAt: timestamp().notNull(),
  },
  (table) => [index("local_mailbox_newest").on(table.sentAt)],
);
