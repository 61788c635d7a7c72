import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";
import { files } from "./files.ts";

/** The tables are WITHOUT ROWID, which Drizzle cannot express: their migration was edited. */

const fileId = () =>
  text()
    .notNull()
    .references(() => files.id, { onDelete: "cascade" });

/** The list of a ready transfer, 100 entries a row (`domain/transfers/pages.ts`). */
export const transferPages = sqliteTable(
  "transfer_pages",
  {
    fileId: fileId(),
    /** From 0. */
    page: integer().notNull(),
    entries: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.fileId, table.page] })],
);

/** Only entries that were downloaded by themselves have a row. */
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

/** The newest encrypted list of files of an encrypted link. Only browsers with the whole link can read it. */
export const sealedManifests = sqliteTable("sealed_manifests", {
  transferId: text()
    .primaryKey()
    .references(() => files.id, { onDelete: "cascade" }),
  revision: integer().notNull(),
  /** As base64url: D1 answers a blob as a list of numbers. At most 1.4 MB, and a row holds 2 MB. */
  body: text().notNull(),
});

/** Bytes of removed entries that storage has not yet confirmed gone. */
export const entryWipes = sqliteTable(
  "entry_wipes",
  {
    s3Key: text().notNull(),
    fromByte: integer().notNull(),
    /** Null for the whole object. */
    length: integer(),
    fileId: fileId(),
    askedAt: timestamp().notNull(),
  },
  (table) => [primaryKey({ columns: [table.s3Key, table.fromByte] }), index("entry_wipes_file").on(table.fileId)],
);
