import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/**
 * The SHA-256 of files that are not accepted (decision 060). The migration makes the table without a rowid, so that a
 * sum takes one row.
 */
export const blockedSums = sqliteTable(
  "blocked_sums",
  {
    /** 64 lower-case hexadecimal digits. */
    sha256: text().primaryKey(),
    label: text().notNull(),
    addedAt: timestamp().notNull(),
  },
  (table) => [index("blocked_sums_label").on(table.label, table.addedAt)],
);

/** One row while the scanner does not answer as it should. */
export const scannerOutages = sqliteTable("scanner_outages", {
  /** Always 1. */
  id: integer().primaryKey(),
  /** When the scanner first failed. */
  since: timestamp().notNull(),
  /** What it did, in the words of the log. */
  reason: text().notNull(),
  /** When the administrator was mailed. */
  toldAt: timestamp(),
});
