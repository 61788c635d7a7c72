import { sql } from "drizzle-orm";
import { blob, check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { LOCALES } from "#domain/locale.ts";
import { PLAN_IDS } from "#domain/plans.ts";
import type { AdminSignInMethod } from "#domain/sign-in.ts";
import { ADMIN_ACTIONS, REPORT_OUTCOMES, REPORT_REASONS, type CopyrightNotice } from "#domain/wire.ts";
import { users } from "./accounts.ts";
import { createdAt, id, timestamp, flag } from "./columns.ts";
import { files } from "./files.ts";

export const adminSessions = sqliteTable(
  "admin_sessions",
  {
    id: id(),
    /** SHA-256 of the value of the session's cookie. */
    tokenHash: text().notNull(),
    /** Null for the administrator in the settings. */
    userId: text().references(() => users.id, { onDelete: "cascade" }),
    username: text().notNull(),
    /**
     * Identifies the credentials in the settings with which the session began. A change of these credentials ends the
     * session.
     */
    settingsKey: text(),
    createdAt: createdAt(),
    lastSeenAt: timestamp().notNull(),
    expiresAt: timestamp().notNull(),
    /** The way in that the administrator used. Null for sessions older than this column. */
    method: text().$type<AdminSignInMethod>(),
    /** When the administrator last proved their identity. Null for sessions older than this column. */
    confirmedAt: timestamp(),
  },
  (table) => [
    uniqueIndex("admin_sessions_token").on(table.tokenHash),
    index("admin_sessions_user").on(table.userId),
    index("admin_sessions_expires").on(table.expiresAt),
    check("admin_sessions_whose", sql`(${table.userId} is null) <> (${table.settingsKey} is null)`),
  ],
);

/** The table has no foreign keys, because its rows outlive the users that they name. */
export const adminAuditLogs = sqliteTable(
  "admin_audit_logs",
  {
    id: id(),
    at: timestamp().notNull(),
    /** Null for the administrator in the settings. */
    adminUserId: text(),
    adminName: text().notNull(),
    action: text({ enum: ADMIN_ACTIONS }).notNull(),
    /** The id of the row that the action was about, or "". */
    target: text().notNull(),
    details: text().notNull(),
  },
  (table) => [
    index("admin_audit_logs_at").on(table.at),
    index("admin_audit_logs_action").on(table.action, table.at),
    index("admin_audit_logs_target").on(table.target, table.at),
  ],
);

export const fileReports = sqliteTable(
  "file_reports",
  {
    id: id(),
    fileId: text().references(() => files.id, { onDelete: "set null" }),
    /** The reported entry of a transfer; null for the whole file or transfer. */
    entry: integer(),
    /** Without a CHECK: the list of reasons grows. */
    reason: text({ enum: REPORT_REASONS }).notNull(),
    message: text().notNull(),
    /** The fields of a copyright notice. Null for other reasons. */
    notice: text({ mode: "json" }).$type<CopyrightNotice>(),
    /** The language of the reporter's mails. */
    locale: text({ enum: LOCALES }).notNull().default("en"),
    /** The reporter's email address, or "". */
    email: text().notNull(),
    ipAddress: text(),
    createdAt: createdAt(),
    /** Null while the report is open. */
    settledAt: timestamp(),
    settledBy: text(),
    outcome: text({ enum: REPORT_OUTCOMES }),
    note: text().notNull().default(""),
    /**
     * The key with which moderators open an encrypted link, sealed with `DATA_KEY`. The key is deleted when the report
     * is settled, or after 30 days.
     */
    sharedKey: text(),
  },
  (table) => [
    index("file_reports_file").on(table.fileId),
    index("file_reports_open")
      .on(table.createdAt)
      .where(sql`${table.settledAt} is null`),
    index("file_reports_settled")
      .on(table.settledAt)
      .where(sql`${table.settledAt} is not null`),
    index("file_reports_shared_key")
      .on(table.createdAt)
      .where(sql`${table.sharedKey} is not null`),
    index("file_reports_whole_address")
      .on(table.createdAt)
      .where(sql`instr(${table.ipAddress}, '/') = 0`),
    check("file_reports_settled_whole", sql`(${table.settledAt} is null) = (${table.outcome} is null)`),
  ],
);

/** The cron's runs of the last 24 hours. Of the runs that found no work, every third is kept. */
export const sweepRuns = sqliteTable(
  "sweep_runs",
  {
    id: id(),
    startedAt: timestamp().notNull(),
    durationMs: integer().notNull(),
    expiredFiles: integer().notNull(),
    abandonedUploads: integer().notNull(),
    leftovers: integer().notNull(),
    removedAccounts: integer().notNull(),
    /** Comma-separated names of the failed chores. */
    failed: text().notNull(),
  },
  (table) => [index("sweep_runs_started").on(table.startedAt)],
);

/** Totals per UTC day, so that the overview does not scan the audit log. */
export const overviewDays = sqliteTable("overview_days", {
  /** UTC day: 2026-01-31 */
  day: text().primaryKey(),
  uploads: integer().notNull().default(0),
  bytes: integer().notNull().default(0),
  failed: integer().notNull().default(0),
  rejected: integer().notNull().default(0),
  downloads: integer().notNull().default(0),
  /** Uploads and links that a sum of the block list has ended. */
  blocked: integer().notNull().default(0),
});

/**
 * The ids of the downloads that have been counted, so that a download whose message comes twice counts once (decision
 * 053). The migration makes the table without a rowid, so that a download writes one row.
 */
export const countedDownloads = sqliteTable(
  "counted_downloads",
  {
    /** The UTC day of the download, in days since 1970-01-01. */
    day: integer().notNull(),
    /** 16 bytes. */
    id: blob({ mode: "buffer" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.id] })],
);

/** The size of the database when each UTC day began, from which the growth of the database is computed. */
export const databaseDays = sqliteTable("database_days", {
  /** UTC day: 2026-01-31 */
  day: text().primaryKey(),
  bytes: integer().notNull(),
});

/** The percentages of its limit that the database has reached, and about which the administrator was mailed. */
export const databaseWarnings = sqliteTable("database_warnings", {
  percent: integer().primaryKey(),
  at: timestamp().notNull(),
});

/** The latest counts of users, files and bytes per plan. */
export const planNumbers = sqliteTable("plan_numbers", {
  planType: text({ enum: PLAN_IDS }).primaryKey(),
  users: integer().notNull(),
  files: integer().notNull(),
  bytes: integer().notNull(),
  takenAt: timestamp().notNull(),
});

/** The stored bytes per plan at the last count of each day. */
export const planDays = sqliteTable(
  "plan_days",
  {
    /** UTC day: 2026-01-31 */
    day: text().notNull(),
    planType: text({ enum: PLAN_IDS }).notNull(),
    bytes: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.planType] })],
);

export const contactSubmissions = sqliteTable(
  "contact_submissions",
  {
    id: id(),
    name: text().notNull(),
    email: text().notNull(),
    subject: text().notNull(),
    message: text().notNull(),
    isRead: flag(),
    ipAddress: text(),
    userAgent: text(),
    createdAt: createdAt(),
  },
  (table) => [
    index("contact_submissions_newest").on(table.createdAt),
    index("contact_submissions_email").on(sql`${table.email} collate nocase`),
    index("contact_submissions_unread")
      .on(table.createdAt)
      .where(sql`${table.isRead} = 0`),
    index("contact_submissions_whole_address")
      .on(table.createdAt)
      .where(sql`instr(${table.ipAddress}, '/') = 0`),
  ],
);
