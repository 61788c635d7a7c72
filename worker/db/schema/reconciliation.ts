import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { RECONCILIATION_FINDINGS } from "#domain/wire.ts";
import { id, timestamp, oneOf } from "./columns.ts";

/** Each pass of the cron over all objects and rows, spread over several runs. */
export const reconciliations = sqliteTable(
  "reconciliations",
  {
    id: id(),
    startedAt: timestamp().notNull(),
    /** Null while it is running. */
    finishedAt: timestamp(),
    /** The last compared key, or "". */
    cursor: text().notNull().default(""),
    objects: integer().notNull().default(0),
    rows: integer().notNull().default(0),
    /** All orphans found, deleted or not. */
    orphans: integer().notNull().default(0),
    lost: integer().notNull().default(0),
    orphansFirstSeen: integer().notNull().default(0),
    orphansDeletedUnapproved: integer().notNull().default(0),
    /** When it found too many orphans and stopped deleting. */
    stoppedAt: timestamp(),
  },
  (table) => [
    index("reconciliations_started").on(table.startedAt),
    // At most one runs at a time.
    uniqueIndex("reconciliations_unfinished")
      .on(sql`(${table.finishedAt} is null)`)
      .where(sql`${table.finishedAt} is null`),
  ],
);

/** Lost files and deleted orphans. */
export const reconciliationFindings = sqliteTable(
  "reconciliation_findings",
  {
    s3Key: text().primaryKey(),
    kind: text({ enum: RECONCILIATION_FINDINGS }).notNull(),
    fileId: text(),
    /** The object's size, or the row's for a lost file. */
    sizeBytes: integer().notNull(),
    foundAt: timestamp().notNull(),
    lastSeenAt: timestamp().notNull(),
  },
  (table) => [
    index("reconciliation_findings_found").on(table.foundAt),
    check("reconciliation_findings_kind", oneOf(table.kind, RECONCILIATION_FINDINGS)),
  ],
);

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
