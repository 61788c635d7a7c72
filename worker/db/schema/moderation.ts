import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { CASE_KINDS, CASE_OUTCOMES, type CaseDetail } from "#domain/moderation/cases.ts";
import { users } from "./accounts.ts";
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
