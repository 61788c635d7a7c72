import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
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
