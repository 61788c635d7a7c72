import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { EXPIRATIONS } from "#domain/expiry.ts";
import { REQUEST_NOTICES } from "#domain/notices/when-mailed.ts";
import { ownerId } from "./accounts.ts";
import { createdAt, flag, id, oneOf, timestamp } from "./columns.ts";

/** Links through which anybody sends files into an account (decision 044). Received files are counted from `files`. */
export const uploadRequests = sqliteTable(
  "upload_requests",
  {
    id: id(),
    userId: ownerId(),
    /**
     * The last part of the request's URL. The token is stored in plain text, because the owner can look up the URL
     * again.
     */
    token: text().notNull(),
    title: text().notNull(),
    note: text().notNull().default(""),
    /** How long received files are kept, at most as long as the owner's plan allows when they arrive. */
    keepFor: text({ enum: EXPIRATIONS }).notNull(),
    /** Null for a request that stays open until its owner closes it. */
    expiresAt: timestamp(),
    /**
     * The most bytes of all uploads together; null for half of the owner's remaining monthly quota. `mostTransfers`
     * likewise.
     */
    mostBytes: integer(),
    /** The most bytes of one file. Null for the plan's limit alone. */
    mostFileBytes: integer(),
    mostTransfers: integer(),
    /** Accepted file name extensions, without the dot. Null for any. */
    kinds: text({ mode: "json" }).$type<string[]>(),
    /** Whether a sender must give a name. `asksEmail`: whether a sender must give an email address. */
    asksName: flag(),
    asksEmail: flag(),
    passwordHash: text(),
    /** Rises with each change of the password. A grant with a lower number is void. */
    guardRevision: integer().notNull().default(0),
    notify: text({ enum: REQUEST_NOTICES }).notNull(),
    /** Origins of web pages that may send files by tus. */
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
