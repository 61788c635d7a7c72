import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { RECONCILIATION_FINDINGS } from "#domain/wire.ts";
import { id, timestamp, oneOf } from "./columns.ts";

/** The cron's comparisons of all stored objects with all rows. One comparison takes several runs of the cron. */
export const reconciliations = sqliteTable(
  "reconciliations",
  {
    id: id(),
    startedAt: timestamp().notNull(),
    /** Null while the comparison is running. */
    finishedAt: timestamp(),
    /** The last compared storage key, or "". */
    cursor: text().notNull().default(""),
    objects: integer().notNull().default(0),
    rows: integer().notNull().default(0),
    /** The number of all orphans found, deleted or not. */
    orphans: integer().notNull().default(0),
    lost: integer().notNull().default(0),
    orphansFirstSeen: integer().notNull().default(0),
    orphansDeletedUnapproved: integer().notNull().default(0),
    /** When the comparison found too many orphans and stopped deleting them. */
    stoppedAt: timestamp(),
  },
  (table) => [
    index("reconciliations_started").on(table.startedAt),
    // At most one comparison runs at a time.
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
    /** The size of the orphaned object, or of a lost file as its row in `files` says it. */
    sizeBytes: integer().notNull(),
    foundAt: timestamp().notNull(),
    lastSeenAt: timestamp().notNull(),
  },
  (table) => [
    index("reconciliation_findings_found").on(table.foundAt),
    check("reconciliation_findings_kind", oneOf(table.kind, RECONCILIATION_FINDINGS)),
  ],
);

/** Objects that no row references. An object's row here is deleted once the object is deleted or referenced again. */
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
