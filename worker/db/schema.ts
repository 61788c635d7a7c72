import { sql, type SQL } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex, type AnySQLiteColumn } from "drizzle-orm/sqlite-core";
import { billingPeriodAt } from "#domain/billing-period.ts";
import { EXPIRATIONS } from "#domain/expiry.ts";
import { PLAN_IDS } from "#domain/plans.ts";

/** Every table. Moments are epoch milliseconds; sizes are bytes. Enumerations are checked by the database too. */

export const UPLOAD_STATUSES = ["uploading", "ready", "failed", "cancelled"] as const;
export const AUDIT_STATUSES = ["success", "failed", "rejected"] as const;

const id = () =>
  text()
    .primaryKey()
    .$defaultFn(() => crypto.randomUUID());
const moment = () => integer({ mode: "timestamp_ms" });
const flag = () => integer({ mode: "boolean" }).notNull().default(false);
const createdAt = () =>
  moment()
    .notNull()
    .$defaultFn(() => new Date());
const updatedAt = () =>
  moment()
    .notNull()
    .$defaultFn(() => new Date())
    .$onUpdateFn(() => new Date());

function oneOf(column: AnySQLiteColumn, values: readonly string[]): SQL {
  return sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(", "))})`;
}

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
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex("users_email").on(table.email),
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
  (table) => [uniqueIndex("sessions_token").on(table.token), index("sessions_user").on(table.userId)],
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
  (table) => [index("verifications_identifier").on(table.identifier)],
);

export const files = sqliteTable(
  "files",
  {
    /** Also the upload's id on the wire and the name of its Durable Object. */
    id: id(),
    userId: text().references(() => users.id, { onDelete: "set null" }),
    /** The name the link shows; its owner may change it. */
    filename: text().notNull(),
    originalFilename: text().notNull(),
    size: integer().notNull(),
    mimeType: text().notNull(),
    /** The object's key once the upload has finished. */
    s3Key: text().notNull(),
    downloadId: text().notNull(),
    status: text({ enum: UPLOAD_STATUSES }).notNull().default("uploading"),
    expiration: text({ enum: EXPIRATIONS }).notNull(),
    expirationChosen: flag(),
    createdAt: createdAt(),
    /** When the upload finished. */
    uploadedAt: moment(),
    /** Null for never, and until the upload has finished. */
    expiresAt: moment(),
    downloadCount: integer().notNull().default(0),
    /** Set by the sweep. Whether a file may be read is decided by `expiresAt` and the clock. */
    isExpired: flag(),
    /** Set only after the store has confirmed the deletion. */
    s3DeletedAt: moment(),
    /** When its owner deleted it. */
    deletedAt: moment(),
    adminDeleted: flag(),
    /** The object's strong ETag, unquoted. */
    etag: text(),
    sha256: text(),
    /** The billing month whose totals hold the reservation: a refund in a later one changes nothing. */
    reservedPeriodStart: moment().notNull(),
    /** From here on the cron asks the Durable Object whether the upload was abandoned. */
    abandonAt: moment().notNull(),
  },
  (table) => [
    uniqueIndex("files_download_id").on(table.downloadId),
    uniqueIndex("files_s3_key").on(table.s3Key),
    index("files_owner_newest")
      .on(table.userId, table.uploadedAt)
      .where(sql`${table.status} = 'ready' and ${table.deletedAt} is null`),
    index("files_owner_unfinished")
      .on(table.userId)
      .where(sql`${table.status} = 'uploading'`),
    index("files_sweep")
      .on(table.expiresAt)
      .where(sql`${table.expiresAt} is not null and ${table.s3DeletedAt} is null`),
    index("files_abandoned")
      .on(table.abandonAt)
      .where(sql`${table.status} = 'uploading'`),
    check("files_status", oneOf(table.status, UPLOAD_STATUSES)),
    check("files_expiration", oneOf(table.expiration, EXPIRATIONS)),
    check("files_size", sql`${table.size} >= 0`),
    check(
      "files_ready_is_whole",
      sql`${table.status} <> 'ready' or (${table.uploadedAt} is not null and ${table.etag} is not null)`,
    ),
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

export const uploadAuditLogs = sqliteTable(
  "upload_audit_logs",
  {
    id: id(),
    userId: text().references(() => users.id, { onDelete: "set null" }),
    originalFilename: text().notNull(),
    fileSize: integer().notNull(),
    mimeType: text().notNull(),
    ipAddress: text(),
    userAgent: text(),
    status: text({ enum: AUDIT_STATUSES }).notNull(),
    errorMessage: text(),
    errorCode: text(),
    timestamp: createdAt(),
  },
  (table) => [
    index("upload_audit_logs_timestamp").on(table.timestamp),
    index("upload_audit_logs_user").on(table.userId),
    check("upload_audit_logs_status", oneOf(table.status, AUDIT_STATUSES)),
  ],
);

export const contactSubmissions = sqliteTable(
  "contact_submissions",
  {
    id: id(),
    name: text().notNull(),
    email: text().notNull(),
    subject: text().notNull(),
    message: text().notNull(),
    isRead: flag(),
    ipAddress: text(),
    userAgent: text(),
    createdAt: createdAt(),
  },
  (table) => [index("contact_submissions_newest").on(table.createdAt)],
);

export const seoContent = sqliteTable(
  "seo_content",
  {
    id: id(),
    /** A path such as / or /about. */
    page: text().notNull(),
    title: text().notNull(),
    description: text().notNull(),
    /** Comma-separated. */
    keywords: text().notNull(),
    ogTitle: text(),
    ogDescription: text(),
    ogImage: text(),
    twitterTitle: text(),
    twitterDescription: text(),
    twitterImage: text(),
    /** JSON-LD. */
    structuredData: text(),
    canonicalUrl: text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex("seo_content_page").on(table.page)],
);

export const pageContent = sqliteTable(
  "page_content",
  {
    id: id(),
    title: text().notNull(),
    slug: text().notNull(),
    /** Text, Markdown or HTML; sanitised when it is served. */
    content: text().notNull(),
    lastUpdatedBy: text().notNull().default("admin"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex("page_content_slug").on(table.slug)],
);
