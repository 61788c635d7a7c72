import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";
import { files } from "./files.ts";

/**
 * All tables in this file are WITHOUT ROWID. Drizzle cannot express WITHOUT ROWID, so the migration was edited by hand.
 */

const fileId = () =>
  text()
    .notNull()
    .references(() => files.id, { onDelete: "cascade" });

/**
 * The entries of ready transfers, 100 entries in each row (`domain/transfers/pages.ts`), as releases before decision
 * 051 wrote them. The cron moves these entries into the transfers' sessions.
 */
export const transferPages = sqliteTable(
  "transfer_pages",
  {
    fileId: fileId(),
    /** The page number, from 0. */
    page: integer().notNull(),
    entries: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.fileId, table.page] })],
);

/** Download counts of single entries. An entry that was never downloaded by itself has no row. */
export const entryDownloads = sqliteTable(
  "entry_downloads",
  {
    fileId: fileId(),
    /** The entry's number. */
    n: integer().notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.fileId, table.n] })],
);

/**
 * The names by which a search finds a ready transfer (`domain/transfers/searched-names.ts`), as long as the transfer has
 * bytes. An encrypted transfer has no row.
 */
export const transferNames = sqliteTable("transfer_names", {
  fileId: text()
    .primaryKey()
    .references(() => files.id, { onDelete: "cascade" }),
  names: text().notNull(),
});

/**
 * The newest encrypted list of files of sealed links, as releases before decision 051 wrote it. The cron moves these
 * lists into the links' sessions.
 */
export const sealedManifests = sqliteTable("sealed_manifests", {
  transferId: text()
    .primaryKey()
    .references(() => files.id, { onDelete: "cascade" }),
  revision: integer().notNull(),
  /** The list is base64url, because D1 returns a blob as a list of numbers. At most 1.4 MB; D1 allows 2 MB per row. */
  body: text().notNull(),
});

/** Byte ranges of removed entries whose deletion storage has not confirmed yet. */
export const entryWipes = sqliteTable(
  "entry_wipes",
  {
    s3Key: text().notNull(),
    fromByte: integer().notNull(),
    /** The number of bytes; null for the whole object. */
    length: integer(),
    fileId: fileId(),
    askedAt: timestamp().notNull(),
  },
  (table) => [primaryKey({ columns: [table.s3Key, table.fromByte] }), index("entry_wipes_file").on(table.fileId)],
);
