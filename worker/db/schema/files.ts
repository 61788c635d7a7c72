import { sql } from "drizzle-orm";
import { check, index, integer, type SQLiteColumn, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { CHECKSUM_SOURCES } from "#domain/checksums.ts";
import { EXPIRATIONS } from "#domain/expiry.ts";
import type { RiskyKind } from "#domain/moderation/risky-kinds.ts";
import { SCAN_STATES } from "#domain/moderation/scan.ts";
import { MAX_DOWNLOADS } from "#domain/protection/link-protection.ts";
import { DOWNLOAD_NOTICES } from "#domain/notices/when-mailed.ts";
import type { ObjectLayout } from "#domain/segments.ts";
import type { UploadSummary } from "#domain/wire/uploads.ts";
import type { StoredPicture } from "#domain/pictures/limits.ts";
import { users } from "./accounts.ts";
import { createdAt, flag, id, timestamp, oneOf } from "./columns.ts";

export const UPLOAD_STATUSES = ["uploading", "ready", "failed", "cancelled"] as const;
/** Reasons why a link ended before `expires_at`. */
const END_REASONS = ["downloads"] as const;
export const AUDIT_STATUSES = ["success", "failed", "rejected"] as const;

/** Orders files by their expiry; files that never expire come last. */
export function byExpiry({ expiresAt }: Record<"expiresAt", SQLiteColumn>) {
  return sql<number>`case when ${expiresAt} is null then ${sql.raw(String(Number.MAX_SAFE_INTEGER))} else ${expiresAt} end`;
}

/** The condition of the partial indexes. The list's query has the same words, or SQLite would not use the indexes. */
function isListed(table: Record<"status" | "deletedAt" | "fileRequestId" | "forwardedAt", SQLiteColumn>) {
  return sql`${table.status} = 'ready' and ${table.deletedAt} is null
    and (${table.fileRequestId} is null or ${table.forwardedAt} is not null)`;
}

export const files = sqliteTable(
  "files",
  {
    /** The file's id, which is also the API's upload id and the name of the upload's Durable Object. */
    id: id(),
    userId: text().references(() => users.id, { onDelete: "set null" }),
    /** The name that the link shows. The owner may change the name. */
    filename: text().notNull(),
    originalFilename: text().notNull(),
    size: integer().notNull(),
    mimeType: text().notNull(),
    s3Key: text().notNull(),
    downloadId: text().notNull(),
    status: text({ enum: UPLOAD_STATUSES }).notNull().default("uploading"),
    expiration: text({ enum: EXPIRATIONS }).notNull(),
    expirationChosen: flag(),
    /** The exact end that the sender chose, which decides in place of `expiration`. Null for a link with a duration. */
    chosenEnd: timestamp(),
    createdAt: createdAt(),
    uploadedAt: timestamp(),
    /** When the link expires. Null for a link that never expires, and until the upload has finished. */
    expiresAt: timestamp(),
    downloadCount: integer().notNull().default(0),
    /**
     * The sweep sets this flag before it deletes the object. Downloads ignore the flag and read `expires_at` instead.
     */
    isClaimed: integer("is_expired", { mode: "boolean" }).notNull().default(false),
    /** When storage confirmed that the object is deleted. */
    s3DeletedAt: timestamp(),
    /** When the owner deleted the file. */
    deletedAt: timestamp(),
    adminDeleted: flag(),
    /** Why a moderator took the file down, as shown to the owner. */
    takedownReason: text(),
    /** When the owner's account was suspended. Null while the account is not suspended. */
    suspendedAt: timestamp(),
    /** Since when the link waits for an administrator's look. Null for a link that goes on. */
    heldAt: timestamp(),
    /** When the bytes were put aside for the authorities: from then on, nothing deletes them but an administrator. */
    keptAt: timestamp(),
    /** The object's strong ETag, unquoted. */
    etag: text(),
    /** What the scanner says. Null where nothing is to be scanned, and for an encrypted link. */
    scanState: text({ enum: SCAN_STATES }),
    scannedAt: timestamp(),
    /** The scanner's name for what it has found. */
    scanFinding: text(),
    /** The risky kinds of the link's files, by name and bytes. Null for none, and for an encrypted link. */
    risk: text({ mode: "json" }).$type<RiskyKind[]>(),
    sha256: text(),
    sha256Source: text({ enum: CHECKSUM_SOURCES }),
    /** The file's modification time. With `fingerprint` and the name, it finds the file's unfinished upload again. */
    lastModified: timestamp(),
    fingerprint: text(),
    /**
     * SHA-256 of the upload token of a visitor or of a sender into an upload request, or of the secret in a tus
     * upload's address.
     */
    uploadTokenHash: text(),
    /** The billing month whose total includes the upload. A release in a later month changes no totals. */
    reservedPeriodStart: timestamp().notNull(),
    /** The time from which the cron checks whether the upload was abandoned. */
    abandonAt: timestamp().notNull(),
    /** The number of a transfer's entries (while it uploads, the announced number). Null for a single file. */
    entryCount: integer(),
    /** The number of numbered keys, `files/<id>/00000` and up. Some of a transfer's keys may have no object. */
    objectCount: integer().notNull().default(0),
    /** The number of keys of objects with pictures, `files/<id>/p00000` and up. Some may have no object. */
    pictureObjects: integer().notNull().default(0),
    /** The bytes of pictures, which count in the month beside `size`. */
    pictureBytes: integer().notNull().default(0),
    /** The first files with a picture. Null for a link without pictures, and for a sealed link. */
    firstPictures: text({ mode: "json" }).$type<StoredPicture[]>(),
    /** Whether previews of the link in chats show its first picture. Null for the account's setting. */
    showsPicture: integer({ mode: "boolean" }),
    /** The segments of a single file. Null for a file that is one object, and for a transfer. */
    layout: text({ mode: "json" }).$type<ObjectLayout>(),
    /** A message from a transfer's sender to its recipients, as plain text. */
    message: text(),
    /** Content-Length of a transfer's ZIP. `zipChangedAt` is the ZIP's Last-Modified, `etag` its ETag. */
    zipSize: integer(),
    zipChangedAt: timestamp(),
    /** Rises with each change of the password. A grant with a lower number is void. */
    guardRevision: integer().notNull().default(0),
    passwordHash: text(),
    /** The download limit; null: none. This column and the next two copy the state of `DownloadGate`. */
    maxDownloads: integer(),
    downloadsUsed: integer().notNull().default(0),
    /** When the download limit was reached. People who hold a lease may go on until the link expires. */
    endedAt: timestamp(),
    endReason: text({ enum: END_REASONS }),
    /** The encryption parameters of a sealed link, as JSON. Null for a link that is not sealed. */
    seal: text(),
    /** SHA-256 (base64url) of the access secret of an encrypted link. */
    accessHash: text(),
    /** The revision of a sealed link's newest list of files, which its session has. Null for a plain link. */
    manifestRevision: integer(),
    /** Whether the sender has declared the encrypted list of files complete. */
    manifestFinal: flag(),
    /** The API key that started the upload; null for a person. No foreign key, because ended keys are deleted first. */
    apiKeyId: text(),
    /** The start's `Idempotency-Key`, kept for a day. `startDigest`: SHA-256 of the start's request. */
    startKey: text(),
    startDigest: text(),
    /** Whether the upload started without a size. Until the file is ready, `size` is the number of reserved bytes. */
    isOpenEnded: flag(),
    /** A label that a program sets. The account's unfinished uploads with the same label count as one upload. */
    transferLabel: text(),
    /** The header `Upload-Metadata` of a tus upload, unchanged except that a password is removed. */
    tusMetadata: text(),
    /** The upload request that the sender used. No foreign key, so that the value survives the request. */
    fileRequestId: text("request_id"),
    /** The name that the sender of an upload through a request gave. */
    senderName: text(),
    senderEmail: text(),
    senderNote: text(),
    /** The sender's network until the upload ends. The number of unfinished uploads per network is limited. */
    senderNetwork: text(),
    /**
     * When the owner made a link of a file received through a request. As long as this column is null, only the owner
     * can get the file.
     */
    forwardedAt: timestamp(),
    /** When the owner gets mail about downloads of the link. Null for the account's setting. */
    notify: text({ enum: DOWNLOAD_NOTICES }),
    /** The owner's labels. Null for a link without labels. */
    labels: text({ mode: "json" }).$type<string[]>(),
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
    // Each of these indexes is for one order of an account's list.
    index("files_listed").on(table.userId, table.uploadedAt).where(isListed(table)),
    index("files_listed_by_name")
      .on(table.userId, sql`${table.filename} collate nocase`)
      .where(isListed(table)),
    index("files_listed_by_size").on(table.userId, table.size).where(isListed(table)),
    index("files_listed_by_expiry").on(table.userId, byExpiry(table)).where(isListed(table)),
    // A list of an account's labels reads labelled files alone.
    index("files_labelled")
      .on(table.userId)
      .where(sql`${isListed(table)} and ${table.labels} is not null`),
    index("files_owner_unfinished")
      .on(table.userId)
      .where(sql`${table.status} = 'uploading'`),
    index("files_owner_stored")
      .on(table.userId, table.size)
      .where(sql`${table.status} in ('uploading', 'ready') and ${table.s3DeletedAt} is null`),
    index("files_owner_forever")
      .on(table.userId, table.expiresAt)
      .where(sql`${table.status} = 'ready' and ${table.expiration} = 'never'`),
    index("files_sweep")
      .on(table.expiresAt)
      .where(
        sql`${table.expiresAt} is not null and ${table.s3DeletedAt} is null and ${table.suspendedAt} is null
          and ${table.keptAt} is null`,
      ),
    index("files_kept")
      .on(table.keptAt)
      .where(sql`${table.keptAt} is not null`),
    index("files_expired")
      .on(table.expiresAt)
      .where(sql`${table.status} = 'ready' and ${table.expiresAt} is not null`),
    index("files_name")
      .on(sql`${table.filename} collate nocase`)
      .where(sql`${table.status} = 'ready' and ${table.expiresAt} is not null`),
    index("files_bytes_gone")
      .on(table.s3DeletedAt)
      .where(sql`${table.s3DeletedAt} is not null`),
    index("files_scan_waits")
      .on(table.uploadedAt)
      .where(sql`${table.scanState} = 'pending'`),
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

/**
 * The number and the bytes of each account's finished files, so that no query has to count the files. Triggers of
 * `files` keep these numbers current (decision 052).
 */
export const fileCounts = sqliteTable("file_counts", {
  userId: text()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /**
   * The number of files in the account's list: including expired files, without deleted files and received files that
   * have no link.
   */
  listed: integer().notNull(),
  /** The number of files whose bytes are stored. `storedBytes`: the sum of these bytes. */
  stored: integer().notNull(),
  storedBytes: integer().notNull(),
});

/** A row for each upload, which changes when the upload ends, and for each start that was rejected (decision 052). */
export const uploadAuditLogs = sqliteTable(
  "upload_audit_logs",
  {
    /**
     * The file's id; for a rejected start a random id. Uploads from before decision 052 have the rows `<id>:started`
     * and `<id>:ended`.
     */
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
    /** When the upload ended; for a running upload, when it started. */
    timestamp: createdAt(),
    /** The number of entries of a transfer; null for a single file. */
    entryCount: integer(),
    /** The API key that sent the upload; null for a person. */
    apiKeyId: text(),
    /** The sender's report of how the upload went. Null for an upload without a report. */
    summary: text({ mode: "json" }).$type<UploadSummary>(),
    /** When the upload started. Null for a rejected start, and in rows older than this column. */
    startedAt: timestamp(),
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
