import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { KEY_CALLS_PER_MINUTE, KEY_SOURCES, type KeyScope } from "#domain/api-keys.ts";
import { DEVICE_STATES } from "#domain/device-codes.ts";
import { ownerId, users } from "./accounts.ts";
import { createdAt, flag, id, oneOf, timestamp } from "./columns.ts";

/** What opens `/api/v1` for programs (decision 032). */
export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: id(),
    userId: ownerId(),
    name: text().notNull(),
    /** SHA-256 in hex. The key itself is shown once. */
    keyHash: text().notNull(),
    lastFour: text().notNull(),
    scopes: text({ mode: "json" }).$type<KeyScope[]>().notNull(),
    createdAt: createdAt(),
    /** Null for never. */
    expiresAt: timestamp(),
    revokedAt: timestamp(),
    /** At most ten minutes old. */
    lastUsedAt: timestamp(),
    /** Shortened (decision 020). */
    lastUsedAddress: text(),
    callsPerMinute: integer().notNull().default(KEY_CALLS_PER_MINUTE),
    /** Bytes. Null for the plan's own limit. */
    monthBytes: integer(),
    largestFileBytes: integer(),
    /** Bytes that it has sent in the month that began at `monthStart`. Any other month begins with 0. */
    monthUsed: integer().notNull().default(0),
    monthStart: timestamp(),
    /** Requests with an `Origin` are accepted. */
    browserUse: flag(),
    source: text({ enum: KEY_SOURCES }).notNull(),
    /** From then on its owner is mailed that it runs out. Null for no mail, and once it is sent. */
    remindAt: timestamp(),
  },
  (table) => [
    uniqueIndex("api_keys_hash").on(table.keyHash),
    index("api_keys_user").on(table.userId),
    index("api_keys_remind")
      .on(table.remindAt)
      .where(sql`${table.remindAt} is not null`),
    index("api_keys_run_out")
      .on(table.expiresAt)
      .where(sql`${table.expiresAt} is not null`),
    index("api_keys_revoked")
      .on(table.revokedAt)
      .where(sql`${table.revokedAt} is not null`),
    check("api_keys_source", oneOf(table.source, KEY_SOURCES)),
    check("api_keys_month_used", sql`${table.monthUsed} >= 0`),
  ],
);

/** Programs that wait for somebody who signs them in (decision 038). */
export const deviceCodes = sqliteTable(
  "device_codes",
  {
    /** SHA-256 in hex of the code that the program has. */
    deviceHash: text().primaryKey(),
    /** SHA-256 in hex of the code that a person types. */
    userHash: text().notNull(),
    /** The name that the program gives its device, and that the key will have. */
    name: text().notNull(),
    /** The program's IP address, shortened (decision 020). */
    address: text().notNull(),
    state: text({ enum: DEVICE_STATES }).notNull().default("waiting"),
    /** Who has agreed. Null before. */
    userId: text().references(() => users.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
    expiresAt: timestamp().notNull(),
    /** The program may not ask again before it. */
    nextPollAt: timestamp().notNull(),
  },
  (table) => [
    uniqueIndex("device_codes_user_code").on(table.userHash),
    index("device_codes_user").on(table.userId),
    index("device_codes_run_out").on(table.expiresAt),
    check("device_codes_state", oneOf(table.state, DEVICE_STATES)),
  ],
);
