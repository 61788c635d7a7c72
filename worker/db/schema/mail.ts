import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, id, moment } from "./columns.ts";

/** Mail that has not been taken by its provider yet. */
export const mailOutbox = sqliteTable(
  "mail_outbox",
  {
    id: id(),
    to: text().notNull(),
    subject: text().notNull(),
    html: text().notNull(),
    text: text().notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: moment().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index("mail_outbox_due").on(table.nextAttemptAt)],
);

/** What the local mail transport keeps instead of sending. */
export const localMailbox = sqliteTable(
  "local_mailbox",
  {
    id: id(),
    to: text().notNull(),
    subject: text().notNull(),
    html: text().notNull(),
    text: text().notNull(),
    sentAt: moment().notNull(),
  },
  (table) => [index("local_mailbox_newest").on(table.sentAt)],
);
