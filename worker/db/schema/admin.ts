import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { PLAN_IDS } from "#domain/plans.ts";
import { ADMIN_ACTIONS, REPORT_OUTCOMES, REPORT_REASONS } from "#domain/wire.ts";
import { users } from "./accounts.ts";
import { createdAt, id, moment, oneOf } from "./columns.ts";
import { files } from "./files.ts";

/** admin Sessions. A user's session is none of these. */
export const adminSessions = sqliteTable(
  "admin_sessions",
  {
    id: id(),
    /** SHA-256 of what the cookie holds. */
    tokenHash: text().notNull(),
    /** Null for the administrator of the settings. */
    userId: text().references(() => users.id, { onDelete: "cascade" }),
    /** The name they logged in with. */
    username: text().notNull(),
    /** For the administrator of the settings: which name and password those were. Others end the session. */
    settingsKey: text(),
    createdAt: createdAt(),
    lastSeenAt: moment().notNull(),
    expiresAt: moment().notNull(),
  },
  (table) => [
    uniqueIndex("admin_sessions_token").on(table.tokenHash),
    index("admin_sessions_user").on(table.userId),
    index("admin_sessions_expires").on(table.expiresAt),
    check("admin_sessions_whose", sql`(${table.userId} is null) <> (${table.settingsKey} is null)`),
  ],
);

/** Who did what, when, on what. Rows outlive everybody they name. */
export const adminAuditLogs = sqliteTable(
  "admin_audit_logs",
  {
    id: id(),
    at: moment().notNull(),
    /** Null for the administrator of the settings. */
    adminUserId: text(),
    adminName: text().notNull(),
    action: text({ enum: ADMIN_ACTIONS }).notNull(),
    /** An id; "" for none. */
    target: text().notNull(),
    details: text().notNull(),
  },
  (table) => [
    index("admin_audit_logs_at").on(table.at),
    index("admin_audit_logs_action").on(table.action, table.at),
    index("admin_audit_logs_target").on(table.target, table.at),
  ],
);

/** What visitors say is wrong with a file. */
export const fileReports = sqliteTable(
  "file_reports",
  {
    id: id(),
    fileId: text().references(() => files.id, { onDelete: "set null" }),
    reason: text({ enum: REPORT_REASONS }).notNull(),
    message: text().notNull(),
    /** "" when none was given. */
    email: text().notNull(),
    ipAddress: text(),
    createdAt: createdAt(),
    /** Null while it is open. */
    settledAt: moment(),
    settledBy: text(),
    outcome: text({ enum: REPORT_OUTCOMES }),
    note: text().notNull().default(""),
  },
  (table) => [
    index("file_reports_file").on(table.fileId),
    index("file_reports_open")
      .on(table.createdAt)
      .where(sql`${table.settledAt} is null`),
    index("file_reports_settled")
      .on(table.settledAt)
      .where(sql`${table.settledAt} is not null`),
    index("file_reports_whole_address")
      .on(table.createdAt)
      .where(sql`instr(${table.ipAddress}, '/') = 0`),
    check("file_reports_reason", oneOf(table.reason, REPORT_REASONS)),
    check("file_reports_settled_whole", sql`(${table.settledAt} is null) = (${table.outcome} is null)`),
  ],
);

/** What the cron's runs did: the last day's. */
export const sweepRuns = sqliteTable(
  "sweep_runs",
  {
    id: id(),
    startedAt: moment().notNull(),
    durationMs: integer().notNull(),
    expiredFiles: integer().notNull(),
    abandonedUploads: integer().notNull(),
    leftovers: integer().notNull(),
    removedAccounts: integer().notNull(),
    /** The names of the chores that failed, comma-separated. */
    failed: text().notNull(),
  },
  (table) => [index("sweep_runs_started").on(table.startedAt)],
);

/** One day's numbers, UTC: the overview reads these instead of a month of log. */
export const overviewDays = sqliteTable("overview_days", {
  /** 2026-01-31 */
  day: text().primaryKey(),
  uploads: integer().notNull().default(0),
  bytes: integer().notNull().default(0),
  failed: integer().notNull().default(0),
  rejected: integer().notNull().default(0),
  downloads: integer().notNull().default(0),
});

/** What is stored on each plan, as it was when it was last counted. */
export const planNumbers = sqliteTable(
  "plan_numbers",
  {
    planType: text({ enum: PLAN_IDS }).primaryKey(),
    users: integer().notNull(),
    files: integer().notNull(),
    bytes: integer().notNull(),
    takenAt: moment().notNull(),
  },
  (table) => [check("plan_numbers_plan_type", oneOf(table.planType, PLAN_IDS))],
);

/** What was stored on each plan, a day each: as it was when it was last counted that day. */
export const planDays = sqliteTable(
  "plan_days",
  {
    /** 2026-01-31, UTC */
    day: text().notNull(),
    planType: text({ enum: PLAN_IDS }).notNull(),
    bytes: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.planType] }),
    check("plan_days_plan_type", oneOf(table.planType, PLAN_IDS)),
  ],
);
