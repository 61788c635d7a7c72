import { check, index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { DEVICE_STATES } from "#domain/device-codes.ts";
import { users } from "./accounts.ts";
import { createdAt, oneOf, timestamp } from "./columns.ts";

/** Programs that wait for somebody who signs them in (decision 038). */
export const deviceCodes = sqliteTable(
  "device_codes",
  {
    /** SHA-256 in hex of the code that the program has. */
    deviceHash: text().primaryKey(),
    /** SHA-256 in hex of the code that a person types. */
    userHash: text().notNull(),
    /** As the program calls its device. The key gets this name. */
    name: text().notNull(),
    /** Of the program, shortened (decision 020). */
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
