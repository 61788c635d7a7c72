import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { EXPIRATIONS } from "#domain/expiry.ts";
import { REQUEST_NOTICES } from "#domain/notices/when-mailed.ts";
import { ownerId } from "./accounts.ts";
import { createdAt, flag, id, oneOf, timestamp } from "./columns.ts";

/** Links through which anybody sends files into an account (decision 044). What has come is counted from `files`. */
export const uploadRequests = sqliteTable(
  "upload_requests",
  {
    id: id(),
    userId: ownerId(),
    /** The last part of the link. Kept as it is: its owner sees the link again. */
    token: text().notNull(),
    title: text().notNull(),
    note: text().notNull().default(""),
    /** How long what comes is kept, within the plan at that time. */
    keepFor: text({ enum: EXPIRATIONS }).notNull(),
    /** Null: until its owner closes it. */
    expiresAt: timestamp(),
    /**
     * The most bytes of all uploads together. Null: at most half of what the month has left, as for `mostTransfers`.
     */
    mostBytes: integer(),
    /** Null for the plan's own limit alone. */
    mostFileBytes: integer(),
    mostTransfers: integer(),
    /** Endings of file names, without the dot. Null for any. */
    kinds: text({ mode: "json" }).$type<string[]>(),
    /** Whether a sender has to say their name, and their address. */
    asksName: flag(),
    asksEmail: flag(),
    /** Null for a request without a password. */
    passwordHash: text(),
    /** Goes up with each change of the password. Grants of earlier revisions are void. */
    guardRevision: integer().notNull().default(0),
    notify: text({ enum: REQUEST_NOTICES }).notNull(),
    /** Sites whose pages may send by tus. */
    origins: text({ mode: "json" }).$type<string[]>().notNull(),
    createdAt: createdAt(),
    closedAt: timestamp(),
  },
  (table) => [
    uniqueIndex("upload_requests_token").on(table.token),
    index("upload_requests_owner").on(table.userId, table.createdAt),
    check("upload_requests_notify", oneOf(table.notify, REQUEST_NOTICES)),
  ],
);
