import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { CASE_KINDS, CASE_OUTCOMES, type CaseDetail } from "#domain/moderation/cases.ts";
import { DECISIONS, STATEMENT_READERS } from "#domain/moderation/statements.ts";
import { ownerId, users } from "./accounts.ts";
import { fileReports } from "./admin.ts";
import { id, timestamp } from "./columns.ts";
import { files } from "./files.ts";

/** The administrator's queue (decision 059). */
export const cases = sqliteTable(
  "cases",
  {
    id: id(),
    kind: text({ enum: CASE_KINDS }).notNull(),
    /** What the case is about: the id of a file, else of an account. Survives the row that it names. */
    subject: text().notNull(),
    fileId: text().references(() => files.id, { onDelete: "set null" }),
    /** The owner of the file, or the account. Null for the file of a visitor. */
    userId: text().references(() => users.id, { onDelete: "set null" }),
    /** The newest report of the case. */
    reportId: text().references(() => fileReports.id, { onDelete: "set null" }),
    openedAt: timestamp().notNull(),
    /** How many times the reason of the case has come up since `openedAt`. `latestAt`: the last of these times. */
    count: integer().notNull().default(1),
    latestAt: timestamp().notNull(),
    detail: text({ mode: "json" }).$type<CaseDetail>().notNull(),
    /** Null while the case is open. */
    closedAt: timestamp(),
    closedBy: text(),
    outcome: text({ enum: CASE_OUTCOMES }),
  },
  (table) => [
    uniqueIndex("cases_open_subject")
      .on(table.kind, table.subject)
      .where(sql`${table.closedAt} is null`),
    index("cases_open")
      .on(table.latestAt)
      .where(sql`${table.closedAt} is null`),
    index("cases_closed")
      .on(table.closedAt)
      .where(sql`${table.closedAt} is not null`),
    index("cases_user").on(table.userId, table.latestAt),
    index("cases_file").on(table.fileId),
    index("cases_report").on(table.reportId),
  ],
);

/**
 * Decisions of administrators that their owner or reporter was mailed, each with a link to object. A row is kept after
 * the case that it came from.
 */
export const statements = sqliteTable(
  "statements",
  {
    id: id(),
    /** SHA-256 of the token in the mail's link. */
    tokenHash: text().notNull(),
    decision: text({ enum: DECISIONS }).notNull(),
    /** Who was mailed: the account's owner, or the person who reported a link. */
    reader: text({ enum: STATEMENT_READERS }).notNull(),
    fileId: text().references(() => files.id, { onDelete: "set null" }),
    /** The account that the decision is about. */
    userId: text().references(() => users.id, { onDelete: "set null" }),
    reportId: text().references(() => fileReports.id, { onDelete: "set null" }),
    /** The file or account as the mail names it, and the reason that the administrator wrote. */
    about: text().notNull(),
    reason: text().notNull(),
    at: timestamp().notNull(),
    /** When the reader objected. A statement takes one objection. */
    objectedAt: timestamp(),
  },
  (table) => [
    uniqueIndex("statements_token").on(table.tokenHash),
    index("statements_at").on(table.at),
    index("statements_file").on(table.fileId),
    index("statements_user").on(table.userId),
    index("statements_report").on(table.reportId),
  ],
);

/** Mailboxes whose account was suspended: no new account takes them, also once the suspended account is deleted. */
export const barredMailboxes = sqliteTable(
  "barred_mailboxes",
  {
    /** HMAC-SHA-256 of the mailbox, with a key of the deployment. */
    mailboxHash: text().primaryKey(),
    /** The suspended account. No foreign key: the row outlives the account. */
    userId: text().notNull(),
    at: timestamp().notNull(),
  },
  (table) => [index("barred_mailboxes_user").on(table.userId), index("barred_mailboxes_at").on(table.at)],
);

/** The downloads of accounts that are younger than 30 days, by UTC day. Networks and people are not kept. */
export const newAccountDays = sqliteTable(
  "new_account_days",
  {
    userId: ownerId(),
    /** When the day began. */
    day: timestamp().notNull(),
    downloads: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.day] }), index("new_account_days_day").on(table.day)],
);
