import type { PlanId } from "../plans.ts";
import type { AdminAction, ReportOutcome, ReportReason, UPLOAD_OUTCOMES } from "./admin.ts";
import type { PageContentRequest, SeoRequest } from "./content.ts";

/** The administrator whose session it is. */
export interface AdminViewer {
  /** Their account; null for the administrator of the settings, who has none. */
  userId: string | null;
  username: string;
}
export interface AdminCheck {
  isAdmin: boolean;
}

/** One page of a list. */
export interface Paged<Item> {
  items: Item[];
  /** From 1. */
  page: number;
  pages: number;
  /** Rows on all pages, counted up to ADMIN_COUNTED_ROWS. */
  total: number;
}

/** Dates are ISO 8601. */
export interface AdminUser {
  id: string;
  /** Of no meaning any more where `isDeleting`. */
  email: string;
  isAdmin: boolean;
  planType: PlanId;
  isVerified: boolean;
  createdAt: string;
  /** Its deletion has begun: links and sessions have ended, objects and rows follow. */
  isDeleting: boolean;
}

export interface AdminFile {
  id: string;
  filename: string;
  size: number;
  uploadedAt: string;
  /** Null for never. */
  expiresAt: string | null;
  isExpired: boolean;
  downloadId: string;
  /** Null for an upload without an account. */
  userId: string | null;
  /** Null while the bytes are stored. */
  s3DeletedAt: string | null;
  downloadCount: number;
  /** Removed by an administrator, with the reason where one was given. */
  adminDeleted: boolean;
  takedownReason: string | null;
}

export interface ContactSubmission {
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

export interface ContactPage extends Paged<ContactSubmission> {
  /** Unread ones of all pages, counted up to ADMIN_COUNTED_ROWS. */
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
  status: (typeof UPLOAD_OUTCOMES)[number];
  errorCode: string | null;
  errorMessage: string | null;
  ipAddress: string | null;
  userAgent: string | null;
  timestamp: string;
}

export interface AdminLogEntry {
  id: string;
  at: string;
  /** Who: the name they logged in with, and their account (null for the administrator of the settings). */
  adminName: string;
  adminUserId: string | null;
  action: AdminAction;
  /** On what: an id, or "" for none. */
  target: string;
  /** What exactly, in words. */
  details: string;
}

/** One run of the cron. */
export interface SweepRun {
  id: string;
  startedAt: string;
  durationMs: number;
  /** Files whose bytes went, abandoned uploads that ended, leftovers that went, accounts that are gone. */
  expiredFiles: number;
  abandonedUploads: number;
  leftovers: number;
  removedAccounts: number;
  /** The chores that failed, by name; the log says why. */
  failed: string[];
}

/** An object that no row wants any more, or a file that can be downloaded and whose object is not as it was sent. */
export const RECONCILIATION_FINDINGS = ["orphan", "lost"] as const;

export interface ReconciliationFinding {
  kind: (typeof RECONCILIATION_FINDINGS)[number];
  s3Key: string;
  fileId: string | null;
  /** Bytes: the object's, or what the row says of a lost one. */
  size: number;
}

/** One stretch of keys, as a reconciliation looks at it. */
export interface ReconciliationWindow {
  objects: number;
  rows: number;
  findings: ReconciliationFinding[];
  /** The key to go on after; null at the end. */
  next: string | null;
}

/** The last reconciliation, and what stands in the list of findings. */
export interface ReconciliationReport {
  last: {
    startedAt: string;
    /** Null while it goes on. */
    finishedAt: string | null;
    objects: number;
    rows: number;
    /** Objects that no row wants, whether or not they were deleted. */
    orphans: number;
    lost: number;
    /** When it found too many orphans and stopped deleting; null where it did not. */
    stoppedAt: string | null;
  } | null;
  /** Newest first. Orphans have been deleted; lost files stay until somebody acts. */
  findings: (ReconciliationFinding & { foundAt: string; lastSeenAt: string })[];
}

export interface FileReport {
  id: string;
  reason: ReportReason;
  message: string;
  /** "" when none was given. */
  email: string;
  createdAt: string;
  ipAddress: string | null;
  /** Null once the file's row has gone. */
  file: AdminFile | null;
  /** Null while it is open. */
  settled: { at: string; by: string; outcome: ReportOutcome; note: string } | null;
}

/** Numbers of one day, UTC. */
export interface OverviewDay {
  /** 2026-01-31 */
  day: string;
  /** Uploads that finished, and their bytes. */
  uploads: number;
  bytes: number;
  /** Uploads that failed, were cancelled or abandoned; and those that never began. */
  failed: number;
  rejected: number;
  /** Downloads that came to their end. */
  downloads: number;
  /** Bytes that each plan stored when they were last counted that day; null where nobody counted. */
  stored: Record<PlanId, number> | null;
}

export interface Overview {
  /** Oldest first, without gaps, today last. */
  days: OverviewDay[];
  /** Null until the cron has taken them the first time; taken once an hour. */
  storage: { takenAt: string; plans: PlanNumbers[] } | null;
  openReports: number;
  unreadMessages: number;
  /** Null unless the last reconciliation found too many orphans. */
  orphanAlert: OrphanAlert | null;
}

/**
 * Too many objects that no row wants: none of them is deleted before an administrator approves it. Counted up to
 * ADMIN_COUNTED_ROWS.
 */
export interface OrphanAlert {
  orphans: number;
  bytes: number;
  /** When the first of them was first seen. */
  since: string;
  /** When this was read: an approval of these names that moment. */
  asOf: string;
}

export interface PlanNumbers {
  planType: PlanId;
  users: number;
  /** Stored now. */
  files: number;
  bytes: number;
}
