import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { KEY_CALLS_PER_MINUTE, KEY_SOURCES, type KeyScope } from "#domain/api-keys.ts";
import { DEVICE_STATES } from "#domain/device-codes.ts";
import { ownerId, users } from "./accounts.ts";
import { createdAt, flag, id, oneOf, timestamp } from "./columns.ts";

/** API keys, which open `/api/v1` to programs (decision 032). */
export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: id(),
    userId: ownerId(),
    name: text().notNull(),
    /** SHA-256 of the key in hex. The key itself is shown once and not stored. */
    keyHash: text().notNull(),
    lastFour: text().notNull(),
    scopes: text({ mode: "json" }).$type<KeyScope[]>().notNull(),
    createdAt: createdAt(),
    /** Null for a key that never expires. */
    expiresAt: timestamp(),
    revokedAt: timestamp(),
    /** The time of the last use, up to ten minutes late. */
    lastUsedAt: timestamp(),
    /** The IP address of the last use, shortened (decision 020). */
    lastUsedAddress: text(),
    callsPerMinute: integer().notNull().default(KEY_CALLS_PER_MINUTE),
    /** The key's own limit of bytes per month. Null for the plan's limit alone. */
    monthBytes: integer(),
    largestFileBytes: integer(),
    /** Bytes sent by the key in the month that began at `monthStart`. In any other month the count starts at 0. */
    monthUsed: integer().notNull().default(0),
    monthStart: timestamp(),
    /** Whether the API accepts this key in requests with an `Origin` header. */
    browserUse: flag(),
    source: text({ enum: KEY_SOURCES }).notNull(),
    /** When to mail the owner that the key expires soon. Null for no mail, and after the mail was sent. */
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

/** Programs that wait for a person to sign them in (decision 038). */
export const deviceCodes = sqliteTable(
  "device_codes",
  {
    /** SHA-256 in hex of the program's code. */
    deviceHash: text().primaryKey(),
    /** SHA-256 in hex of the code that a person types. */
    userHash: text().notNull(),
    /** The name that the program gives its device. The new API key gets the same name. */
    name: text().notNull(),
    /** The program's IP address, shortened (decision 020). */
    address: text().notNull(),
    state: text({ enum: DEVICE_STATES }).notNull().default("waiting"),
    /** The person who approved the program. Null until somebody has approved the program. */
    userId: text().references(() => users.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
    expiresAt: timestamp().notNull(),
    /** The earliest time at which the program may poll again. */
    nextPollAt: timestamp().notNull(),
  },
  (table) => [
    uniqueIndex("device_codes_user_code").on(table.userHash),
    index("device_codes_user").on(table.userId),
    index("device_codes_run_out").on(table.expiresAt),
    check("device_codes_state", oneOf(table.state, DEVICE_STATES)),
  ],
);
