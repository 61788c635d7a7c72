import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, id, timestamp } from "./columns.ts";

/**
 * Mail that the provider has not accepted. The row of an accepted mail is deleted, because the texts of mails contain
 * secrets.
 */
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
    /** When the cron gives the mail to its queue once more. For a refused mail: when its row is deleted. */
    nextAttemptAt: timestamp().notNull(),
    createdAt: createdAt(),
    /** Why the mail has not been accepted yet; null before its first attempt. */
    failure: text(),
    /** When the mail was given up. The row of such a mail has no texts. */
    refusedAt: timestamp(),
  },
  (table) => [
    index("mail_outbox_due").on(table.nextAttemptAt),
    index("mail_outbox_refused")
      .on(table.refusedAt)
      .where(sql`refused_at is not null`),
  ],
);

/**
 * How many mails the provider accepted on a day. Mails are counted only if the provider's quota is known (MAILS_A_DAY).
 */
export const mailDays = sqliteTable("mail_days", {
  /** UTC day: 2026-01-31 */
  day: text().primaryKey(),
  sent: integer().notNull(),
});

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
