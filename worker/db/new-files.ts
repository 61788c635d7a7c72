import { getTableColumns, sql, type SQL } from "drizzle-orm";
import type { Lifetime } from "#domain/expiry.ts";
import type { DownloadNotice } from "#domain/notices/when-mailed.ts";
import { files, users } from "./schema.ts";

export interface NewFile {
  id: string;
  userId: string | null;
  uploadTokenHash: string | null;
  filename: string;
  mimeType: string;
  s3Key: string;
  downloadId: string;
  lifetime: Lifetime;
  /** Epoch milliseconds; null if the client sent no date. */
  lastModified: number | null;
  fingerprint: string | null;
  /** The announced number of entries; null for a single file. */
  entryCount: number | null;
  message: string | null;
  passwordHash: string | null;
  maxDownloads: number | null;
  /** Has the value of the column `files.seal`; null for a plain link. */
  seal: string | null;
  accessHash: string | null;
  /** The first encrypted list of files, as base64url. */
  manifest: string | null;
  /** The sender's sum of the file, in hex; null if the start had none. */
  sha256: string | null;
  /** The API key that starts the upload; null for a person. */
  apiKeyId: string | null;
  /** Null for a start without `Idempotency-Key`. */
  startKey: string | null;
  startDigest: string | null;
  /** Whether the upload starts without a size. */
  isOpenEnded: boolean;
  /** The column `files.transfer_label`; null for a start without a label. */
  transferLabel: string | null;
  /** The column `files.tus_metadata`; null for an upload without tus. */
  tusMetadata: string | null;
  /** The sender of an upload through a request; null for every other upload. */
  sender: FileSender | null;
  /** Null for the account's setting. */
  notify: DownloadNotice | null;
  createdAt: number;
  abandonAt: number;
}

export interface FileSender {
  fileRequestId: string;
  network: string;
  name: string | null;
  email: string | null;
  note: string | null;
}

/** The row of an upload that starts. */
export function rowOf(file: NewFile): typeof files.$inferInsert {
  return {
    id: file.id,
    userId: file.userId,
    uploadTokenHash: file.uploadTokenHash,
    filename: file.filename,
    originalFilename: file.filename,
    size: file.lifetime.sizeBytes,
    mimeType: file.mimeType,
    s3Key: file.s3Key,
    downloadId: file.downloadId,
    status: "uploading",
    expiration: file.lifetime.expiration,
    expirationChosen: file.lifetime.expirationChosen,
    lastModified: file.lastModified === null ? null : new Date(file.lastModified),
    fingerprint: file.fingerprint,
    createdAt: new Date(file.createdAt),
    downloadCount: 0,
    isClaimed: false,
    adminDeleted: false,
    reservedPeriodStart: new Date(file.createdAt),
    abandonAt: new Date(file.abandonAt),
    entryCount: file.entryCount,
    message: file.message,
    passwordHash: file.passwordHash,
    maxDownloads: file.maxDownloads,
    seal: file.seal,
    accessHash: file.accessHash,
    manifestRevision: file.manifest === null ? null : 0,
    sha256: file.sha256,
    sha256Source: file.sha256 === null ? null : "browser",
    apiKeyId: file.apiKeyId,
    startKey: file.startKey,
    startDigest: file.startDigest,
    isOpenEnded: file.isOpenEnded,
    transferLabel: file.transferLabel,
    tusMetadata: file.tusMetadata,
    fileRequestId: file.sender?.fileRequestId ?? null,
    senderName: file.sender?.name ?? null,
    senderEmail: file.sender?.email ?? null,
    senderNote: file.sender?.note ?? null,
    senderNetwork: file.sender?.network ?? null,
    notify: file.notify,
  };
}

/** `rowOf` as the columns of a select from `users`, whose billing month the upload belongs to. */
export function selectionOf(file: NewFile): SQL {
  const values = new Map<string, unknown>(Object.entries(rowOf(file)));
  const columns = Object.entries(getTableColumns(files)).map(([name, column]) =>
    name === "reservedPeriodStart"
      ? sql`${users.currentPeriodStart}`
      : sql`${sql.param(values.get(name) ?? column.default ?? null, column)}`,
  );
  return sql.join(columns, sql`, `);
}
