import type { DatabaseFill } from "../database-fill.ts";
import type { PlanId } from "../plans.ts";
import type { AdminAction, CopyrightNotice, ReportOutcome, ReportReason, UPLOAD_OUTCOMES } from "./admin.ts";
import type { PageContentRequest, SeoRequest } from "./content.ts";
import type { ListedFile, PageCursors } from "./files.ts";
import type { SharedKey } from "./seal.ts";
import type { UploadSummary } from "./uploads.ts";

export interface AdminViewer {
  /** Null for the administrator of `ADMIN_USERNAME`, who has no account. */
  userId: string | null;
  username: string;
}

export interface Paged<Item> extends PageCursors {
  items: Item[];
  /** Counts from 1. */
  page: number;
  pages: number;
  /** Rows on all pages, at most ADMIN_COUNTED_ROWS. */
  total: number;
}

/** A user as administrators see it. Dates are ISO 8601. */
export interface AdminUser {
  id: string;
  /** An email address, which is meaningless when `isDeleting`. */
  email: string;
  isAdmin: boolean;
  planType: PlanId;
  isVerified: boolean;
  /** Whether signing in needs the code of an authenticator app. */
  hasSecondFactor: boolean;
  hasPasskey: boolean;
  createdAt: string;
  /** The user's links and sessions have ended, but objects and rows are still being deleted. */
  isDeleting: boolean;
  /** Since when the account is suspended. Null for an account that is not. */
  suspendedAt: string | null;
}

/** A file as administrators see it. The names in a sealed file are only in its encrypted manifest. */
export interface AdminFile extends Omit<ListedFile, "expiration" | "hasLink" | "pictures" | "showsPicture"> {
  /** Null for a file that was uploaded without an account. */
  userId: string | null;
  /** Null while the bytes are stored. */
  s3DeletedAt: string | null;
  adminDeleted: boolean;
  takedownReason: string | null;
}

export interface ContactMessage {
  id: string;
  name: string;
  email: string;
  subject: string;
  message: string;
  isRead: boolean;
  createdAt: string;
  ipAddress: string | null;
  userAgent: string | null;
}

export interface ContactMessagesPage extends Paged<ContactMessage> {
  /** Unread messages on all pages, at most ADMIN_COUNTED_ROWS. */
  unread: number;
}

export interface SeoRecord extends SeoRequest {
  id: string;
  createdAt: string;
  updatedAt: string;
}

export interface PageContentRecord extends PageContentRequest {
  id: string;
  lastUpdatedBy: string;
  createdAt: string;
  updatedAt: string;
}

export interface UploadLogEntry {
  id: string;
  userId: string | null;
  filename: string;
  size: number;
  mimeType: string;
  /** The number of files in a transfer; null for a single file. */
  entries: number | null;
  status: (typeof UPLOAD_OUTCOMES)[number];
  errorCode: string | null;
  errorMessage: string | null;
  ipAddress: string | null;
  userAgent: string | null;
  /** When the upload ended. For an upload that still runs: when it started. */
  timestamp: string;
  /**
   * When an ended upload started. Null for an upload that still runs, for a rejected start, and for uploads before
   * decision 052.
   */
  startedAt: string | null;
  /** Null if the sender sent no summary. */
  summary: UploadSummary | null;
}

export interface AdminLogEntry {
  id: string;
  at: string;
  /** The name used at login. */
  adminName: string;
  /** Null for the administrator of `ADMIN_USERNAME`. */
  adminUserId: string | null;
  action: AdminAction;
  /** The changed record's id, or "". */
  target: string;
  details: string;
}

/** One run of the cron. */
export interface SweepRun {
  id: string;
  startedAt: string;
  durationMs: number;
  /** How many items of each kind the run has deleted or ended. */
  expiredFiles: number;
  abandonedUploads: number;
  leftovers: number;
  removedAccounts: number;
  /** Names of failed tasks. The log has the errors. */
  failed: string[];
}

/** `orphan`: an object without a row. `lost`: an active file whose object is missing or has another size. */
export const RECONCILIATION_FINDINGS = ["orphan", "lost"] as const;

export interface ReconciliationFinding {
  kind: (typeof RECONCILIATION_FINDINGS)[number];
  s3Key: string;
  fileId: string | null;
  /** Bytes of the object; for a lost file, the bytes that its row says. */
  size: number;
}

/** The comparison of a range of keys in storage with the rows. */
export interface ReconciliationWindow {
  objects: number;
  rows: number;
  findings: ReconciliationFinding[];
  /** The query parameter `after` for the next window; null after the last window. */
  next: string | null;
}

export interface ReconciliationReport {
  last: {
    startedAt: string;
    /** Null while the reconciliation runs. */
    finishedAt: string | null;
    objects: number;
    rows: number;
    /** All orphans that were found, deleted or not. */
    orphans: number;
    lost: number;
    /** When the reconciliation stopped deleting because of too many orphans; null otherwise. */
    stoppedAt: string | null;
  } | null;
  /** Newest first. Orphans in this list have been deleted; nothing of a lost file is deleted. */
  findings: (ReconciliationFinding & { foundAt: string; lastSeenAt: string })[];
}

export interface FileReport {
  id: string;
  reason: ReportReason;
  message: string;
  /** The fields of a copyright notice. Null for other reasons, and for a report without these fields. */
  notice: CopyrightNotice | null;
  /** The reporter's address, which may be "". */
  email: string;
  createdAt: string;
  ipAddress: string | null;
  /** Null once the file's row is deleted. */
  file: AdminFile | null;
  /** The number of the reported file in a transfer; null for the whole transfer, or a single file. */
  entry: number | null;
  /** The path of `entry`; null while the transfer uploads, and once its list is deleted with its files. */
  path: string | null;
  /** The reporter sent the key of a sealed transfer, which is deleted when the report is settled, and after 30 days. */
  hasSharedKey: boolean;
  /** Null while the report is open. */
  settled: { at: string; by: string; outcome: ReportOutcome; note: string } | null;
}

/** The key that a reporter sent. The admin log records each time that an administrator reads the key. */
export interface RevealedKey extends SharedKey {
  /** The link with its key, which opens the transfer in a browser. */
  link: string;
}

export interface OverviewDay {
  /** UTC, for example "2026-01-31". */
  day: string;
  /** Finished uploads and their bytes. */
  uploads: number;
  bytes: number;
  /** Uploads that failed, were cancelled or abandoned. */
  failed: number;
  /** Uploads that were not allowed to start. */
  rejected: number;
  downloads: number;
  /** Uploads and links that a sum of the block list has ended. */
  blocked: number;
  /** Stored bytes by plan at the day's last count; null without a count. */
  stored: Record<PlanId, number> | null;
}

export interface Overview {
  /** Oldest first, without gaps, up to today. */
  days: OverviewDay[];
  /** The numbers of the last hourly count; null before the first count. */
  storage: { takenAt: string; plans: PlanNumbers[] } | null;
  openReports: number;
  unreadMessages: number;
  /** The last ten mails of 30 days that were given up, the newest first. */
  refusedMails: RefusedMail[];
  /** Present when the last reconciliation found too many orphans, else null. */
  orphanAlert: OrphanAlert | null;
  database: DatabaseFill;
}

/** A mail that is not tried again. */
export interface RefusedMail {
  id: string;
  to: string;
  subject: string;
  /** The mail provider's reason, in the provider's words. */
  reason: string;
  at: string;
}

/** Warns of too many orphans, which are kept until an administrator approves. Counts stop at ADMIN_COUNTED_ROWS. */
export interface OrphanAlert {
  orphans: number;
  bytes: number;
  /** When the oldest orphan was first seen. */
  since: string;
  /** When the alert was read. A request that approves the deletion of the orphans sends this moment back. */
  asOf: string;
}

export interface PlanNumbers {
  planType: PlanId;
  users: number;
  files: number;
  bytes: number;
}

/** The sums of files that are not accepted. */
export interface BlockList {
  /** The number of all sums. */
  total: number;
  /** At most a hundred, the newest first. `latest`: when a sum was last added. */
  labels: { label: string; sums: number; latest: string }[];
  /** The sum of the query; null if it is not on the list, and without a query. */
  found: { sha256: string; label: string; addedAt: string } | null;
}

export interface ImportedBlockList {
  added: number;
  /** How many sums were on the list before, or were named twice. */
  known: number;
  /** How many lines are no sum. `bad`: the numbers of the first thousand, from 1. */
  badCount: number;
  bad: number[];
}
