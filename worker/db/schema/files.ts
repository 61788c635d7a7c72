import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { CHECKSUM_SOURCES } from "#domain/checksums.ts";
import { EXPIRATIONS } from "#domain/expiry.ts";
import { MAX_DOWNLOADS } from "#domain/protection/link-protection.ts";
import { DOWNLOAD_NOTICES } from "#domain/notices/when-mailed.ts";
import type { UploadSummary } from "#domain/wire/uploads.ts";
import { users } from "./accounts.ts";
import { createdAt, flag, id, timestamp, oneOf } from "./columns.ts";

export const UPLOAD_STATUSES = ["uploading", "ready", "failed", "cancelled"] as const;
/** What ended a link before its time. */
const END_REASONS = ["downloads"] as const;
export const AUDIT_STATUSES = ["success", "failed", "rejected"] as const;

export const files = sqliteTable(
  "files",
  {
    /** This is also the API's upload id, and the name of the upload's Durable Object. */
    id: id(),
    userId: text().references(() => users.id, { onDelete: "set null" }),
    /** The name the link shows; its owner may change it. */
    filename: text().notNull(),
    originalFilename: text().notNull(),
    size: integer().notNull(),
    mimeType: text().notNull(),
    s3Key: text().notNull(),
    downloadId: text().notNull(),
    status: text({ enum: UPLOAD_STATUSES }).notNull().default("uploading"),
    expiration: text({ enum: EXPIRATIONS }).notNull(),
    expirationChosen: flag(),
    createdAt: createdAt(),
    /** When the upload finished. */
    uploadedAt: timestamp(),
    /** Null for never, and before the upload has finished. */
    expiresAt: timestamp(),
    downloadCount: integer().notNull().default(0),
    /** The sweep's claim: set before it deletes the object. Downloads are decided by `expiresAt` and the clock. */
    isClaimed: integer("is_expired", { mode: "boolean" }).notNull().default(false),
    /** Set only after the store has confirmed the deletion. */
    s3DeletedAt: timestamp(),
    /** When the owner deleted the file. */
    deletedAt: timestamp(),
    adminDeleted: flag(),
    /** Shown to the owner. */
    takedownReason: text(),
    /** The object's strong ETag, unquoted. */
    etag: text(),
    sha256: text(),
    sha256Source: text({ enum: CHECKSUM_SOURCES }),
    /**
     * Together with `fingerprint` and the name, this identifies the file on the sender's device when an upload is
     * resumed.
     */
    lastModified: timestamp(),
    fingerprint: text(),
    /** SHA-256 of the token in a visitor's cookie, for an upload without an account; else of a tus address's secret. */
    uploadTokenHash: text(),
    /** The billing month of the reservation. A release in a later month changes no totals. */
    reservedPeriodStart: timestamp().notNull(),
    /** From then on the cron checks whether the upload was abandoned. */
    abandonAt: timestamp().notNull(),
    /** Null for a single file. For a transfer, the number of entries: announced ones until it is ready. */
    entryCount: integer(),
    /** A transfer's objects have the keys `files/<id>/00000` up to this number. Gaps are possible. */
    objectCount: integer().notNull().default(0),
    /** A message from a transfer's sender to its recipients, as plain text. */
    message: text(),
    /** Content-Length and Last-Modified of a transfer's ZIP; its ETag is `etag`. */
    zipSize: integer(),
    zipChangedAt: timestamp(),
    /** Goes up with each change of the password. Grants of earlier revisions are void. */
    guardRevision: integer().notNull().default(0),
    /** Null for a link without a password. */
    passwordHash: text(),
    /** Null for any number. The link's `DownloadGate` decides; this and the next two follow it. */
    maxDownloads: integer(),
    downloadsUsed: integer().notNull().default(0),
    /** When the last download was used. Those who have one may go on until the link expires. */
    endedAt: timestamp(),
    endReason: text({ enum: END_REASONS }),
    /** JSON. Null for a link that is not encrypted end to end. */
    seal: text(),
    /** SHA-256 of what opens an encrypted link, as base64url. */
    accessHash: text(),
    /**
     * The revision of an encrypted link's newest list of files, which `sealed_manifests` has. Null for a plain link.
     */
    manifestRevision: integer(),
    /** Whether the sender says that nothing will be added. */
    manifestFinal: flag(),
    /** What started the upload; null for a person. No reference: the row of a key that has ended is deleted before. */
    apiKeyId: text(),
    /** The `Idempotency-Key` of the start, for a day, and the SHA-256 of what it asked for. */
    startKey: text(),
    startDigest: text(),
    /** Started without a size: until the file is ready, `size` is what has been reserved for it. */
    isOpenEnded: flag(),
    /** What the program says the upload belongs to: its unfinished uploads with the same label count as one. */
    transferLabel: text(),
    /** `Upload-Metadata` of an upload by tus, as it came, without a password. */
    tusMetadata: text(),
    /** The upload request through which a stranger sent it. No reference: it stays when the request is deleted. */
    fileRequestId: text("request_id"),
    /** The sender's name, as they gave it. */
    senderName: text(),
    senderEmail: text(),
    senderNote: text(),
    /** The sender's network, until the upload ends: how many of theirs are unfinished is limited. */
    senderNetwork: text(),
    /** When its owner made a link of what came through a request. Before, only the owner can open it. */
    forwardedAt: timestamp(),
    /** When the owner is mailed about downloads. Null for the account's choice. */
    notify: text({ enum: DOWNLOAD_NOTICES }),
  },
  (table) => [
    index("files_request")
      .on(table.fileRequestId, table.size)
      .where(sql`${table.fileRequestId} is not null`),
    index("files_received")
      .on(table.userId, table.uploadedAt)
      .where(sql`${table.fileRequestId} is not null and ${table.status} = 'ready' and ${table.deletedAt} is null`),
    index("files_sender_token")
      .on(table.uploadTokenHash)
      .where(sql`${table.fileRequestId} is not null`),
    uniqueIndex("files_download_id").on(table.downloadId),
    uniqueIndex("files_s3_key").on(table.s3Key),
    index("files_owner_newest")
      .on(table.userId, table.uploadedAt)
      .where(sql`${table.status} = 'ready' and ${table.deletedAt} is null`),
    index("files_owner_unfinished")
      .on(table.userId)
      .where(sql`${table.status} = 'uploading'`),
    index("files_owner_stored")
      .on(table.userId, table.size)
      .where(sql`${table.status} in ('uploading', 'ready') and ${table.s3DeletedAt} is null`),
    index("files_owner_never")
      .on(table.userId)
      .where(sql`${table.status} = 'ready' and ${table.expiresAt} is null`),
    index("files_sweep")
      .on(table.expiresAt)
      .where(sql`${table.expiresAt} is not null and ${table.s3DeletedAt} is null`),
    index("files_expired")
      .on(table.expiresAt)
      .where(sql`${table.status} = 'ready' and ${table.expiresAt} is not null`),
    index("files_name")
      .on(sql`${table.filename} collate nocase`)
      .where(sql`${table.status} = 'ready' and ${table.expiresAt} is not null`),
    index("files_bytes_gone")
      .on(table.s3DeletedAt)
      .where(sql`${table.s3DeletedAt} is not null`),
    index("files_ended")
      .on(table.createdAt)
      .where(sql`${table.status} in ('failed', 'cancelled')`),
    index("files_abandoned")
      .on(table.abandonAt)
      .where(sql`${table.status} = 'uploading'`),
    uniqueIndex("files_start_key")
      .on(table.apiKeyId, table.startKey)
      .where(sql`${table.startKey} is not null`),
    index("files_started_with_key")
      .on(table.createdAt)
      .where(sql`${table.startKey} is not null`),
    check("files_status", oneOf(table.status, UPLOAD_STATUSES)),
    check("files_sha256_source", sql`${table.sha256Source} is null or ${oneOf(table.sha256Source, CHECKSUM_SOURCES)}`),
    check("files_size", sql`${table.size} >= 0`),
    check("files_max_downloads", sql`${table.maxDownloads} between 1 and ${sql.raw(String(MAX_DOWNLOADS))}`),
    check(
      "files_ready_is_whole",
      sql`${table.status} <> 'ready' or (${table.uploadedAt} is not null and ${table.etag} is not null)`,
    ),
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
    /** Null for a single file. */
    entryCount: integer(),
    /** Null for what a person did. */
    apiKeyId: text(),
    /** How the upload went, as its sender saw it. Null where none was handed over. */
    summary: text({ mode: "json" }).$type<UploadSummary>(),
  },
  (table) => [
    index("upload_audit_logs_timestamp").on(table.timestamp),
    index("upload_audit_logs_user").on(table.userId, table.timestamp),
    index("upload_audit_logs_status").on(table.status, table.timestamp),
    index("upload_audit_logs_whole_address")
      .on(table.timestamp)
      .where(sql`instr(${table.ipAddress}, '/') = 0`),
    check("upload_audit_logs_status", oneOf(table.status, AUDIT_STATUSES)),
  ],
);
