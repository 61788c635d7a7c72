import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/** Objects that no row references. The row goes when the object is deleted or referenced again. */
export const suspectedOrphans = sqliteTable(
  "suspected_orphans",
  {
    s3Key: text().primaryKey(),
    sizeBytes: integer().notNull(),
    firstSeenAt: timestamp().notNull(),
    approvedAt: timestamp(),
  },
  (table) => [
    index("suspected_orphans_unapproved")
      .on(table.firstSeenAt, table.sizeBytes)
      .where(sql`${table.approvedAt} is null`),
  ],
);
