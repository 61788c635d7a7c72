import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { billingPeriodAt } from "#domain/billing-period.ts";
import { LOCALES } from "#domain/locale.ts";
import { PLAN_IDS } from "#domain/plans.ts";
import type { SignInMethod } from "#domain/sign-in.ts";
import { createdAt, flag, id, timestamp, updatedAt } from "./columns.ts";

export const users = sqliteTable(
  "users",
  {
    id: id(),
    /** The column that better-auth calls `name`. */
    username: text(),
    email: text().notNull(),
    isAdmin: flag(),
    planType: text({ enum: PLAN_IDS }).notNull().default("free"),
    stripeCustomerId: text(),
    stripeSubscriptionId: text(),
    /**
     * The Stripe customer of a manual customer who moves to Stripe; the first payment copies this id to
     * `stripeCustomerId`.
     */
    convertingCustomerId: text(),
    /** A random id that every plan change replaces, for optimistic locking. */
    billingRevision: text().notNull().default(""),
    /**
     * The date from which paid billing months are counted; null for the date of the sign-up. The date is stored so that
     * a 31st survives shorter months.
     */
    billingAnchor: timestamp(),
    /** Bytes uploaded in the billing month, reserved bytes included. */
    monthlyUploadTotal: integer().notNull().default(0),
    monthlyUploadCount: integer("monthly_transfer_count").notNull().default(0),
    currentPeriodStart: timestamp()
      .notNull()
      .$defaultFn(() => new Date()),
    currentPeriodEnd: timestamp()
      .notNull()
      .$defaultFn(() => new Date(billingPeriodAt(Date.now(), Date.now()).end)),
    /** The column that better-auth calls `emailVerified`. */
    isVerified: flag(),
    /**
     * Whether an administrator set the address. The first proof of such an address removes no way in (decision 042).
     */
    isAddressGiven: flag(),
    /** SHA-256 of the newest verification token; null once a token was redeemed. */
    verificationToken: text(),
    verificationTokenExpiry: timestamp(),
    /**
     * Rises when a way in, second factor or trust ends or is replaced. A sign-in that has read a lower number fails.
     */
    accessRevision: integer().notNull().default(0),
    /** The language of the person's last request, used for mails. Null while the language is unknown. */
    locale: text({ enum: LOCALES }),
    /** Whether previews of the account's links in chats show their first picture, unless a link chooses otherwise. */
    showsPictures: integer({ mode: "boolean" }).notNull().default(true),
    /**
     * When the account was marked as deleted, which ends its links and sessions. The cron deletes the account's data
     * later.
     */
    deletedAt: timestamp(),
    /** When an administrator suspended the account (decision 059). Webhooks that were on have the same `disabled_at`. */
    suspendedAt: timestamp(),
    /** When an administrator let the account's links go on, after which the limits of new accounts end for it. */
    trustedAt: timestamp(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex("users_email").on(table.email),
    index("users_verification_token")
      .on(table.verificationToken)
      .where(sql`${table.verificationToken} is not null`),
    index("users_deleted")
      .on(table.deletedAt)
      .where(sql`${table.deletedAt} is not null`),
    index("users_suspended")
      .on(table.suspendedAt)
      .where(sql`${table.suspendedAt} is not null`),
    uniqueIndex("users_stripe_customer").on(table.stripeCustomerId),
    uniqueIndex("users_converting_customer").on(table.convertingCustomerId),
    index("users_period_end").on(table.currentPeriodEnd),
    index("users_newest").on(table.createdAt),
    index("users_admins")
      .on(table.id)
      .where(sql`${table.isAdmin} = 1`),
    index("users_plan").on(table.planType),
    check("users_monthly_totals", sql`${table.monthlyUploadTotal} >= 0 and ${table.monthlyUploadCount} >= 0`),
  ],
);

/** A column that references `users`. A row is deleted together with its user. */
export const ownerId = () =>
  text()
    .notNull()
    .references(() => users.id, { onDelete: "cascade" });

export const sessions = sqliteTable(
  "sessions",
  {
    id: id(),
    userId: ownerId(),
    token: text().notNull(),
    expiresAt: timestamp().notNull(),
    ipAddress: text(),
    userAgent: text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** The way in that the person used. Null for sessions older than this column. */
    method: text().$type<SignInMethod>(),
    /**
     * When the person last proved their identity. Null for a session that began unconfirmed, and for sessions older
     * than this column.
     */
    confirmedAt: timestamp(),
    /** The browser's row in `devices`. Null for sessions older than this column. */
    deviceId: text(),
  },
  (table) => [
    uniqueIndex("sessions_token").on(table.token),
    index("sessions_user").on(table.userId),
    index("sessions_expires").on(table.expiresAt),
    index("sessions_whole_address")
      .on(table.createdAt)
      .where(sql`instr(${table.ipAddress}, '/') = 0`),
  ],
);

export const accounts = sqliteTable(
  "accounts",
  {
    id: id(),
    userId: ownerId(),
    accountId: text().notNull(),
    providerId: text().notNull(),
    password: text(),
    accessToken: text(),
    refreshToken: text(),
    idToken: text(),
    accessTokenExpiresAt: timestamp(),
    refreshTokenExpiresAt: timestamp(),
    scope: text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index("accounts_user").on(table.userId),
    uniqueIndex("accounts_provider").on(table.providerId, table.accountId),
  ],
);

export const verifications = sqliteTable(
  "verifications",
  {
    id: id(),
    identifier: text().notNull(),
    value: text().notNull(),
    expiresAt: timestamp().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index("verifications_identifier").on(table.identifier),
    index("verifications_expires").on(table.expiresAt),
  ],
);

export const subscriptions = sqliteTable(
  "subscriptions",
  {
    id: id(),
    userId: ownerId(),
    planType: text({ enum: PLAN_IDS }).notNull(),
    stripeSubscriptionId: text(),
    stripeCustomerId: text(),
    currentPeriodStart: timestamp(),
    currentPeriodEnd: timestamp(),
    /** Stripe's status: active, past_due, canceled, … */
    status: text().notNull(),
    cancelAtPeriodEnd: flag(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex("subscriptions_user").on(table.userId),
    uniqueIndex("subscriptions_stripe").on(table.stripeSubscriptionId),
  ],
);

/** The Stripe events that were handled, so that a repeated event is ignored. */
export const stripeEvents = sqliteTable(
  "stripe_events",
  {
    /** Stripe's event id: evt_… */
    id: text().primaryKey(),
    type: text().notNull(),
    handledAt: timestamp().notNull(),
  },
  (table) => [index("stripe_events_handled").on(table.handledAt)],
);
