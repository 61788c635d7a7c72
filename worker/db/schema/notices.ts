import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { DEFAULT_DOWNLOAD_NOTICE, DOWNLOAD_NOTICES, NOTICE_KINDS } from "#domain/notices/when-mailed.ts";
import { ownerId, users } from "./accounts.ts";
import { createdAt, id, oneOf, timestamp } from "./columns.ts";
import { files } from "./files.ts";

/** Whom a link was mailed to. The token in their link says who downloads, never whether they may (decision 045). */
export const recipients = sqliteTable(
  "recipients",
  {
    id: id(),
    transferId: text()
      .notNull()
      .references(() => files.id, { onDelete: "cascade" }),
    email: text().notNull(),
    token: text().notNull(),
    /** When the last mail was sent. */
    sentAt: timestamp().notNull(),
    /** When the page was first asked for with the token. */
    openedAt: timestamp(),
    firstDownloadAt: timestamp(),
    lastDownloadAt: timestamp(),
    downloads: integer().notNull().default(0),
    /** When the sender stopped mailing them. */
    stoppedAt: timestamp(),
  },
  (table) => [
    uniqueIndex("recipients_token").on(table.token),
    uniqueIndex("recipients_transfer").on(table.transferId, table.email),
  ],
);

/** What an owner wants to be mailed. Without a row the defaults hold. */
export const noticeSettings = sqliteTable("notice_settings", {
  userId: text()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  downloaded: text({ enum: DOWNLOAD_NOTICES }).notNull().default(DEFAULT_DOWNLOAD_NOTICE),
  /** Uploads that took long, or came by key or request. */
  arrived: integer({ mode: "boolean" }).notNull().default(true),
  /** Links that end tomorrow. */
  ending: integer({ mode: "boolean" }).notNull().default(true),
  /** The browser's time zone as IANA names it, such as Europe/Berlin. */
  timeZone: text().notNull().default("UTC"),
  /** The local day of the last mail of the day: 2026-01-31. */
  lastDigestDay: text(),
});

/** What happened and is to be mailed. Written in the batch that makes it true; the cron makes mails of what is due. */
export const noticeEvents = sqliteTable(
  "notice_events",
  {
    id: id(),
    /** Who is mailed. */
    userId: ownerId(),
    transferId: text()
      .notNull()
      .references(() => files.id, { onDelete: "cascade" }),
    kind: text({ enum: NOTICE_KINDS }).notNull(),
    /** Who downloaded. "" for anybody with the bare link, and for other kinds. */
    recipientId: text().notNull().default(""),
    count: integer().notNull().default(1),
    /** When the first of the counted events happened. */
    at: timestamp().notNull(),
    /** When a mail is made of it. Null for the mail of the day. */
    dueAt: timestamp(),
    /** Null until a mail has been made of it. */
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

/** Addresses that senders gave for receipts, remembered as a digest alone. */
export const receiptAddresses = sqliteTable(
  "receipt_addresses",
  {
    /** The digest of the address, as in `mail_stops`. */
    addressDigest: text().primaryKey(),
    /** When somebody who had a receipt said that the address is theirs. Null: receipts name no files. */
    confirmedAt: timestamp(),
    /** Receipts since `dayBegan`. */
    mails: integer().notNull().default(0),
    dayBegan: timestamp().notNull(),
  },
  (table) => [
    index("receipt_addresses_unconfirmed")
      .on(table.dayBegan)
      .where(sql`${table.confirmedAt} is null`),
  ],
);

/** Addresses that want no more mail, remembered as a digest alone. */
export const mailStops = sqliteTable(
  "mail_stops",
  {
    /** HMAC-SHA-256 of the address in lower case, in base64url. */
    addressDigest: text().notNull(),
    /** Whose mails are stopped. "" for all, "receipts" for receipts. */
    userId: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.addressDigest, table.userId] })],
);
