import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { billingPeriodAt } from "#domain/billing-period.ts";
import { PLAN_IDS } from "#domain/plans.ts";
import { createdAt, flag, id, moment, oneOf, updatedAt } from "./columns.ts";

export const users = sqliteTable(
  "users",
  {
    id: id(),
    /** better-auth's `name`. */
    username: text(),
    email: text().notNull(),
    isAdmin: flag(),
    planType: text({ enum: PLAN_IDS }).notNull().default("free"),
    stripeCustomerId: text(),
    stripeSubscriptionId: text(),
    /** The Stripe customer that a manual one is turning into; its first payment puts it into `stripeCustomerId`. */
    convertingCustomerId: text(),
    /** Another one with every change of plan: what was read under an older one is not written any more. */
    billingRevision: text().notNull().default(""),
    /** The day that paid months count from; null for the day of sign-up. It keeps its 31st through shorter months. */
    billingAnchor: moment(),
    /** Bytes reserved or uploaded in the billing month. */
    monthlyUploadTotal: integer().notNull().default(0),
    monthlyTransferCount: integer().notNull().default(0),
    currentPeriodStart: moment()
      .notNull()
      .$defaultFn(() => new Date()),
    currentPeriodEnd: moment()
      .notNull()
      .$defaultFn(() => new Date(billingPeriodAt(Date.now(), Date.now()).end)),
    /** better-auth's `emailVerified`. */
    isVerified: flag(),
    /** SHA-256 of the newest verification token: an older or used one does nothing. */
    verificationToken: text(),
    verificationTokenExpiry: moment(),
    /** When its deletion began. Links and sessions have ended; the cron removes the rest. */
    deletedAt: moment(),
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
    uniqueIndex("users_stripe_customer").on(table.stripeCustomerId),
    uniqueIndex("users_converting_customer").on(table.convertingCustomerId),
    index("users_period_end").on(table.currentPeriodEnd),
    index("users_newest").on(table.createdAt),
    index("users_admins")
      .on(table.id)
      .where(sql`${table.isAdmin} = 1`),
    index("users_plan").on(table.planType),
    check("users_plan_type", oneOf(table.planType, PLAN_IDS)),
    check("users_monthly_totals", sql`${table.monthlyUploadTotal} >= 0 and ${table.monthlyTransferCount} >= 0`),
  ],
);

export const sessions = sqliteTable(
  "sessions",
  {
    id: id(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    token: text().notNull(),
    expiresAt: moment().notNull(),
    ipAddress: text(),
    userAgent: text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
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
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    accountId: text().notNull(),
    providerId: text().notNull(),
    password: text(),
    accessToken: text(),
    refreshToken: text(),
    idToken: text(),
    accessTokenExpiresAt: moment(),
    refreshTokenExpiresAt: moment(),
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
    expiresAt: moment().notNull(),
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
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    planType: text({ enum: PLAN_IDS }).notNull(),
    stripeSubscriptionId: text(),
    stripeCustomerId: text(),
    currentPeriodStart: moment(),
    currentPeriodEnd: moment(),
    /** As Stripe names it: active, past_due, canceled, … */
    status: text().notNull(),
    cancelAtPeriodEnd: flag(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex("subscriptions_user").on(table.userId),
    uniqueIndex("subscriptions_stripe").on(table.stripeSubscriptionId),
    check("subscriptions_plan_type", oneOf(table.planType, PLAN_IDS)),
  ],
);
