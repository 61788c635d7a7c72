import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "./columns.ts";

/** Objects that no row wants, until they are deleted, are gone, or are wanted again. */
export const suspectedOrphans = sqliteTable(
  "suspected_orphans",
  {
    s3Key: text().primaryKey(),
    sizeBytes: integer().notNull(),
    /** When the reconciliation first saw it without a row. */
    firstSeenAt: moment().notNull(),
    /** When an administrator confirmed its deletion; null until then. */
    approvedAt: moment(),
  },
  (table) => [
    index("suspected_orphans_unapproved")
      .on(table.firstSeenAt, table.sizeBytes)
      .where(sql`${table.approvedAt} is null`),
  ],
);
