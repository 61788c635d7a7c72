import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { RECONCILIATION_FINDINGS } from "#domain/wire.ts";
import { id, moment, oneOf } from "./columns.ts";

/** Each walk of the cron through all objects and rows, a bite a run. */
export const reconciliations = sqliteTable(
  "reconciliations",
  {
    id: id(),
    startedAt: moment().notNull(),
    /** Null while it goes on. */
    finishedAt: moment(),
    /** The last key that has been looked at; "" at first. */
    cursor: text().notNull().default(""),
    objects: integer().notNull().default(0),
    rows: integer().notNull().default(0),
    /** Objects that no row wants, whatever became of them. */
    orphans: integer().notNull().default(0),
    lost: integer().notNull().default(0),
    /** Orphans that no reconciliation had seen before. */
    orphansFirstSeen: integer().notNull().default(0),
    /** Orphans that were deleted without an administrator's approval. */
    orphansDeletedUnapproved: integer().notNull().default(0),
    /** When it found too many orphans and stopped deleting; null where it did not. */
    stoppedAt: moment(),
  },
  (table) => [
    index("reconciliations_started").on(table.startedAt),
    // One at a time.
    uniqueIndex("reconciliations_unfinished")
      .on(sql`(${table.finishedAt} is null)`)
      .where(sql`${table.finishedAt} is null`),
  ],
);

/** What reconciliations found amiss: lost files, and orphans that were deleted. */
export const reconciliationFindings = sqliteTable(
  "reconciliation_findings",
  {
    s3Key: text().primaryKey(),
    kind: text({ enum: RECONCILIATION_FINDINGS }).notNull(),
    /** The row's, where there is one. */
    fileId: text(),
    /** The object's, or what the row says of a lost one. */
    sizeBytes: integer().notNull(),
    foundAt: moment().notNull(),
    lastSeenAt: moment().notNull(),
  },
  (table) => [
    index("reconciliation_findings_found").on(table.foundAt),
    check("reconciliation_findings_kind", oneOf(table.kind, RECONCILIATION_FINDINGS)),
  ],
);
