import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { AccountEventKind } from "#domain/sign-in.ts";
import { ownerId, users } from "./accounts.ts";
import { createdAt, flag, id, timestamp } from "./columns.ts";

export const passkeys = sqliteTable(
  "passkeys",
  {
    id: id(),
    userId: ownerId(),
    /** The credential's id in base64url. */
    credentialId: text().notNull(),
    /** A COSE key (RFC 9052) in base64url, the form in which authenticators send public keys. */
    publicKey: text().notNull(),
    /** The number that COSE gives to the signature algorithm: -7, -257 or -8. */
    algorithm: integer().notNull(),
    /** The authenticator's count of signatures; 0 for an authenticator that does not count. */
    counter: integer().notNull().default(0),
    transports: text({ mode: "json" }).$type<string[]>().notNull(),
    /** The id of the authenticator's model. */
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
  /** The secret, sealed with `DATA_KEY`. */
  secret: text().notNull(),
  /** When a first code proved that the app has the secret. While this column is null, sign-ins ask for no code. */
  confirmedAt: timestamp(),
  /** When the device that set up the second factor was first seen. Null for an unknown device. */
  deviceSince: timestamp(),
  /** The TOTP time step of the newest used code. Codes of this and earlier steps are refused. */
  lastStep: integer().notNull().default(0),
  /** The number of wrong codes since the last right code, recovery code, passkey or new password. */
  wrongCodes: integer().notNull().default(0),
});

export const recoveryCodes = sqliteTable(
  "recovery_codes",
  {
    id: id(),
    userId: ownerId(),
    /** A keyed digest of the recovery code. */
    codeHash: text().notNull(),
    usedAt: timestamp(),
  },
  (table) => [uniqueIndex("recovery_codes_code").on(table.userId, table.codeHash)],
);

/** Short-lived secrets of signing in. Using a secret deletes its row. */
export const challenges = sqliteTable(
  "steps",
  {
    /** SHA-256 of the secret in hex. */
    tokenHash: text().primaryKey(),
    /** The column has no CHECK, because the list of kinds grows. */
    kind: text().notNull(),
    /** The account of the secret; null for a secret that belongs to no account yet. */
    userId: text().references(() => users.id, { onDelete: "cascade" }),
    /** The challenge's data as JSON, whose shape depends on `kind`. */
    data: text().notNull().default("{}"),
    /** How often the secret has been tried so far, right or wrong. */
    attempts: integer().notNull().default(0),
    expiresAt: timestamp().notNull(),
  },
  (table) => [index("steps_user").on(table.userId, table.kind), index("steps_expires").on(table.expiresAt)],
);

/** A browser in which a person has signed in. A browser has one row for each person. */
export const devices = sqliteTable(
  "devices",
  {
    id: id(),
    userId: ownerId(),
    /** SHA-256 in hex of the value of the cookie `device`. */
    tokenHash: text().notNull(),
    /** The header `User-Agent`. */
    name: text().notNull(),
    createdAt: createdAt(),
    /** The time of the last sign-in. */
    lastSeenAt: timestamp().notNull(),
    /** The IP address of the last sign-in, shortened (decision 020). */
    address: text().notNull(),
    /** Until this time, sign-ins on the device need no second factor. Null for a device that is not trusted. */
    trustedUntil: timestamp(),
  },
  (table) => [
    uniqueIndex("devices_token").on(table.userId, table.tokenHash),
    index("devices_last_seen").on(table.lastSeenAt),
  ],
);

/** Security events of an account, as shown to its owner. */
export const accountEvents = sqliteTable(
  "account_events",
  {
    id: id(),
    userId: ownerId(),
    at: timestamp().notNull(),
    /** The column has no CHECK, because the list of kinds grows. */
    kind: text().$type<AccountEventKind>().notNull(),
    /** The header `User-Agent`. "" for an event without a browser. */
    device: text().notNull(),
    /** The IP address, shortened (decision 020). "" for an event without a browser. */
    address: text().notNull(),
  },
  (table) => [index("account_events_newest").on(table.userId, table.at), index("account_events_at").on(table.at)],
);

/** Former addresses of accounts. The token in a mail brings a former address back. */
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
