import type { PlanId } from "../plans.ts";
import type { AdminAction, ReportOutcome, ReportReason, UPLOAD_OUTCOMES } from "./admin.ts";
import type { PageContentRequest, SeoRequest } from "./content.ts";
import type { ListedFile } from "./files.ts";
import type { SharedKey } from "./seal.ts";
import type { UploadSummary } from "./uploads.ts";

export interface AdminViewer {
  /** Null for the administrator of `ADMIN_USERNAME`, who has no account. */
  userId: string | null;
  username: string;
}

export interface Paged<Item> {
  items: Item[];
  /** From 1. */
  page: number;
  pages: number;
  /** Rows on all pages, at most ADMIN_COUNTED_ROWS. */
  total: number;
}

/** Dates are ISO 8601. */
export interface AdminUser {
  id: string;
  /** Meaningless when `isDeleting`. */
  email: string;
  isAdmin: boolean;
  planType: PlanId;
  isVerified: boolean;
  /** Whether an authenticator app is asked for. */
  hasSecondFactor: boolean;
  hasPasskey: boolean;
  createdAt: string;
  /** Links and sessions have ended; objects and rows are still being deleted. */
  isDeleting: boolean;
}

/** Names of a sealed one are only in its encrypted list. */
export interface AdminFile extends Omit<ListedFile, "expiration" | "hasLink"> {
  /** Null: uploaded without an account. */
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
  /** On all pages, at most ADMIN_COUNTED_ROWS. */
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
  /** How many files a transfer has; null for a single file. */
  entries: number | null;
  status: (typeof UPLOAD_OUTCOMES)[number];
  errorCode: string | null;
  errorMessage: string | null;
  ipAddress: string | null;
  userAgent: string | null;
  timestamp: string;
  /** Null where the sender handed none over. */
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
  /** Numbers of deleted or ended items. */
  expiredFiles: number;
  abandonedUploads: number;
  leftovers: number;
  removedAccounts: number;
  /** Names of failed tasks. The log has their errors. */
  failed: string[];
}

/** `orphan`: an object without a row. `lost`: an active file whose object is missing or has another size. */
export const RECONCILIATION_FINDINGS = ["orphan", "lost"] as const;

export interface ReconciliationFinding {
  kind: (typeof RECONCILIATION_FINDINGS)[number];
  s3Key: string;
  fileId: string | null;
  /** Bytes: the object's, or the row's for a lost file. */
  size: number;
}

/** A range of keys in storage compared with the rows. */
export interface ReconciliationWindow {
  objects: number;
  rows: number;
  findings: ReconciliationFinding[];
  /** `after` of the next window; null at the end. */
  next: string | null;
}

export interface ReconciliationReport {
  last: {
    startedAt: string;
    /** Null while it runs. */
    finishedAt: string | null;
    objects: number;
    rows: number;
    /** Deleted or not. */
    orphans: number;
    lost: number;
    /** When it stopped deleting because of too many orphans; null otherwise. */
    stoppedAt: string | null;
  } | null;
  /** Newest first. Orphans listed here are deleted; lost files are kept. */
  findings: (ReconciliationFinding & { foundAt: string; lastSeenAt: string })[];
}

export interface FileReport {
  id: string;
  reason: ReportReason;
  message: string;
  /** May be "". */
  email: string;
  createdAt: string;
  ipAddress: string | null;
  /** Null once the file's row is deleted. */
  file: AdminFile | null;
  /** The reported file of a transfer, by its number; null for all of it, or a single file. */
  entry: number | null;
  /** The path of `entry`; null while the transfer uploads, and once its list is deleted with its files. */
  path: string | null;
  /** The reporter sent what opens the sealed transfer. Removed when the report is settled, and after 30 days. */
  hasSharedKey: boolean;
  /** Null while it is open. */
  settled: { at: string; by: string; outcome: ReportOutcome; note: string } | null;
}

/** Each look is in the admin log. */
export interface RevealedKey extends SharedKey {
  /** What opens the transfer in a browser. */
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
  /** Stored bytes by plan at the day's last count; null without a count. */
  stored: Record<PlanId, number> | null;
}

export interface Overview {
  /** Oldest first, without gaps, up to today. */
  days: OverviewDay[];
  /** Counted once an hour; null before the first count. */
  storage: { takenAt: string; plans: PlanNumbers[] } | null;
  openReports: number;
  unreadMessages: number;
  /** Set when the last reconciliation found too many orphans. */
  orphanAlert: OrphanAlert | null;
}

/** Too many orphans: none is deleted before an administrator approves it. Counts are at most ADMIN_COUNTED_ROWS. */
export interface OrphanAlert {
  orphans: number;
  bytes: number;
  /** When the oldest orphan was first seen. */
  since: string;
  /** When the alert was read. An approval sends this back. */
  asOf: string;
}

export interface PlanNumbers {
  planType: PlanId;
  users: number;
  files: number;
  bytes: number;
}
