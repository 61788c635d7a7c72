import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { AccountEventKind } from "#domain/sign-in.ts";
import { ownerId, users } from "./accounts.ts";
import { createdAt, flag, id, timestamp } from "./columns.ts";

export const passkeys = sqliteTable(
  "passkeys",
  {
    id: id(),
    userId: ownerId(),
    /** base64url */
    credentialId: text().notNull(),
    /** COSE (RFC 9052), base64url: the form that authenticators send and that is checked against. */
    publicKey: text().notNull(),
    /** COSE's number: -7, -257 or -8. */
    algorithm: integer().notNull(),
    /** The authenticator's count of signatures; 0 where it does not count. */
    counter: integer().notNull().default(0),
    transports: text({ mode: "json" }).$type<string[]>().notNull(),
    /** Names the kind of authenticator. */
    aaguid: text().notNull(),
    isBackedUp: flag(),
    name: text().notNull(),
    createdAt: createdAt(),
    lastUsedAt: timestamp(),
  },
  (table) => [uniqueIndex("passkeys_credential").on(table.credentialId), index("passkeys_user").on(table.userId)],
);

/** A person's TOTP secret (RFC 6238). */
export const secondFactors = sqliteTable("second_factors", {
  userId: text()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** Sealed with `DATA_KEY`. */
  secret: text().notNull(),
  /** When a first code proved that the app has the secret. Null: not asked for yet. */
  confirmedAt: timestamp(),
  /** When the device that set it up was first seen. Null where that is not known. */
  deviceSince: timestamp(),
  /** The step of time of the newest used code. Codes up to it are used up. */
  lastStep: integer().notNull().default(0),
  /** Wrong codes since the last right one, recovery code, passkey or new password. */
  wrongCodes: integer().notNull().default(0),
});

export const recoveryCodes = sqliteTable(
  "recovery_codes",
  {
    id: id(),
    userId: ownerId(),
    /** A keyed digest. */
    codeHash: text().notNull(),
    usedAt: timestamp(),
  },
  (table) => [uniqueIndex("recovery_codes_code").on(table.userId, table.codeHash)],
);

/** Every short-lived secret of signing in. It is used up by deleting its row. */
export const challenges = sqliteTable(
  "steps",
  {
    /** SHA-256 of the secret in hex. */
    tokenHash: text().primaryKey(),
    /** Not in a CHECK, because the list grows. */
    kind: text().notNull(),
    /** Null where the secret belongs to nobody yet. */
    userId: text().references(() => users.id, { onDelete: "cascade" }),
    /** JSON, by kind. */
    data: text().notNull().default("{}"),
    /** Tries so far, right or wrong. */
    attempts: integer().notNull().default(0),
    expiresAt: timestamp().notNull(),
  },
  (table) => [index("steps_user").on(table.userId, table.kind), index("steps_expires").on(table.expiresAt)],
);

/** A browser that a person has signed in with. One browser has a row for each person. */
export const devices = sqliteTable(
  "devices",
  {
    id: id(),
    userId: ownerId(),
    /** SHA-256 of the cookie's value in hex. */
    tokenHash: text().notNull(),
    /** The header `User-Agent`. */
    name: text().notNull(),
    createdAt: createdAt(),
    /** The last sign-in. */
    lastSeenAt: timestamp().notNull(),
    /** Shortened (decision 020). */
    address: text().notNull(),
    /** Until then no second factor is asked here. Null for a device that is not trusted. */
    trustedUntil: timestamp(),
  },
  (table) => [
    uniqueIndex("devices_token").on(table.userId, table.tokenHash),
    index("devices_last_seen").on(table.lastSeenAt),
  ],
);

/** What happened to an account, for its owner. */
export const accountEvents = sqliteTable(
  "account_events",
  {
    id: id(),
    userId: ownerId(),
    at: timestamp().notNull(),
    /** Not in a CHECK, because the list grows. */
    kind: text().$type<AccountEventKind>().notNull(),
    /** The header `User-Agent`. "" where no browser was involved. */
    device: text().notNull(),
    /** Shortened (decision 020). "" where no browser was involved. */
    address: text().notNull(),
  },
  (table) => [index("account_events_newest").on(table.userId, table.at), index("account_events_at").on(table.at)],
);

/** An address that a person is leaving, or has left, and that can be brought back. */
export const emailChanges = sqliteTable(
  "email_changes",
  {
    id: id(),
    userId: ownerId(),
    former: text().notNull(),
    /** SHA-256 of the mailed token in hex. */
    tokenHash: text().notNull(),
    createdAt: createdAt(),
    expiresAt: timestamp().notNull(),
  },
  (table) => [
    uniqueIndex("email_changes_token").on(table.tokenHash),
    index("email_changes_former").on(table.former),
    index("email_changes_user").on(table.userId),
    index("email_changes_expires").on(table.expiresAt),
  ],
);
