import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { DEFAULT_DOWNLOAD_NOTICE, DOWNLOAD_NOTICES, NOTICE_KINDS } from "#domain/notices/when-mailed.ts";
import { ownerId, users } from "./accounts.ts";
import { createdAt, id, oneOf, timestamp } from "./columns.ts";
import { files } from "./files.ts";

/** People to whom a link was mailed. A recipient's token tells who downloads; it grants no access (decision 045). */
export const recipients = sqliteTable(
  "recipients",
  {
    id: id(),
    transferId: text()
      .notNull()
      .references(() => files.id, { onDelete: "cascade" }),
    email: text().notNull(),
    token: text().notNull(),
    /** When the last mail to the recipient was sent. */
    sentAt: timestamp().notNull(),
    /** When the page of the link was first requested with the recipient's token. */
    openedAt: timestamp(),
    firstDownloadAt: timestamp(),
    lastDownloadAt: timestamp(),
    downloads: integer().notNull().default(0),
    /** When the sender stopped mailing the recipient. */
    stoppedAt: timestamp(),
  },
  (table) => [
    uniqueIndex("recipients_token").on(table.token),
    uniqueIndex("recipients_transfer").on(table.transferId, table.email),
  ],
);

/** The events for which an account gets mail. An account without a row has the defaults. */
export const noticeSettings = sqliteTable("notice_settings", {
  userId: text()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  downloaded: text({ enum: DOWNLOAD_NOTICES }).notNull().default(DEFAULT_DOWNLOAD_NOTICE),
  /** Whether the owner gets mails about uploads that took long, or came by an API key or an upload request. */
  arrived: integer({ mode: "boolean" }).notNull().default(true),
  /** Whether the owner gets mails about links that expire tomorrow. */
  ending: integer({ mode: "boolean" }).notNull().default(true),
  /** The browser's IANA time zone, such as Europe/Berlin. */
  timeZone: text().notNull().default("UTC"),
  /** The local day on which the last daily mail was sent: 2026-01-31. */
  lastDigestDay: text(),
});

/** Events that people get mail about. The batch that causes an event inserts its row; the cron sends the due mails. */
export const noticeEvents = sqliteTable(
  "notice_events",
  {
    id: id(),
    /** The account that gets the mail, or that owns the link. */
    userId: ownerId(),
    transferId: text()
      .notNull()
      .references(() => files.id, { onDelete: "cascade" }),
    kind: text({ enum: NOTICE_KINDS }).notNull(),
    /**
     * The recipient who downloaded, or who is mailed before a link ends. "" for the link without a token, and for other
     * events.
     */
    recipientId: text().notNull().default(""),
    count: integer().notNull().default(1),
    /** When the first event counted in this row happened. */
    at: timestamp().notNull(),
    /** When a mail about the event is due. Null for an event that waits for the daily mail. */
    dueAt: timestamp(),
    /** When a mail about the event was saved. Null until a mail was saved. */
    mailedAt: timestamp(),
  },
  (table) => [
    index("notice_events_transfer").on(table.transferId),
    uniqueIndex("notice_events_open")
      .on(table.transferId, table.kind, table.recipientId)
      .where(sql`${table.mailedAt} is null`),
    index("notice_events_due")
      .on(table.dueAt)
      .where(sql`${table.mailedAt} is null and ${table.dueAt} is not null`),
    index("notice_events_daily")
      .on(table.userId, table.at)
      .where(sql`${table.mailedAt} is null and ${table.dueAt} is null`),
    check("notice_events_kind", oneOf(table.kind, NOTICE_KINDS)),
  ],
);

/** Addresses that senders gave for receipts. Only digests of the addresses are stored. */
export const receiptAddresses = sqliteTable(
  "receipt_addresses",
  {
    /** The address digest, as in `mail_stops`. */
    addressDigest: text().primaryKey(),
    /**
     * When the owner of the address confirmed it, from a receipt. While this column is null, receipts name no files.
     */
    confirmedAt: timestamp(),
    /** The number of receipts sent since `dayBegan`. */
    mails: integer().notNull().default(0),
    dayBegan: timestamp().notNull(),
  },
  (table) => [
    index("receipt_addresses_unconfirmed")
      .on(table.dayBegan)
      .where(sql`${table.confirmedAt} is null`),
  ],
);

/** Addresses that want no more mail. Only digests of the addresses are stored. */
export const mailStops = sqliteTable(
  "mail_stops",
  {
    /** HMAC-SHA-256 of the address in lower case, in base64url. */
    addressDigest: text().notNull(),
    /** The account whose mails are stopped. "" stops all mails, "receipts" stops receipts. */
    userId: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.addressDigest, table.userId] })],
);
