import { AppError, type ErrorCode } from "#domain/errors.ts";
import type { AdminViewer, FileReport, Paged, ReportsQuery, RevealedKey, SettleReportRequest } from "#domain/wire.ts";
import { transferSessionOf } from "../callers/sessions.ts";
import type { RequestContext } from "../context.ts";
import { findFileById, type FileRow } from "../db/files.ts";
import { toPage } from "../db/paging.ts";
import { findReport, listReports, revealSharedKey, settleReport, type ReportRow } from "../db/reports.ts";
import { localizedError } from "../errors/translate-error.ts";
import { giveReportCookie, openReportedKey } from "../links/reported-link.ts";
import { tellReporters } from "../moderation/reporters.ts";
import type { Decided } from "../moderation/statements.ts";
import type { Services } from "../services.ts";
import { shareUrl } from "../urls.ts";
import { describeFile, finishTakeDown } from "./files.ts";
import { takeDownEntry } from "./take-down-entry.ts";

/** @param now epoch milliseconds */
export async function listFileReports(
  services: Services,
  query: ReportsQuery,
  now: number,
): Promise<Paged<FileReport>> {
  const listed = await listReports(services.db, query);
  const reports = listed.rows.map(async ({ report, file }) =>
    describeReport(report, file, await findPath(services, file, report.entry), now),
  );
  return toPage({ ...listed, rows: await Promise.all(reports) }, (report) => report);
}

/**
 * The path of a reported file.
 * @returns null for a report of a whole link, and once the link's list is deleted with its files
 */
async function findPath(services: Services, file: FileRow | null, n: number | null): Promise<string | null> {
  if (n === null || file === null || file.entryCount === null || file.s3DeletedAt !== null) return null;
  const [entry] = await transferSessionOf(services, file).locate(file.id, [n]);
  return entry?.path ?? null;
}

export function describeReport(report: ReportRow, file: FileRow | null, path: string | null, now: number): FileReport {
  const { id, entry, reason, message, notice, email, createdAt, ipAddress, settledAt, settledBy, outcome, note } =
    report;
  return {
    id,
    reason,
    message,
    notice,
    email,
    ipAddress,
    createdAt: createdAt.toISOString(),
    file: file && describeFile(file, now),
    entry,
    path,
    hasSharedKey: report.sharedKey !== null,
    settled: settledAt && outcome ? { at: settledAt.toISOString(), by: settledBy ?? "", outcome, note } : null,
  };
}

/**
 * The key that a report shared of its encrypted link. Logs each call in the admin log, and sets cookies with which the
 * moderator's browser opens the link.
 * @param now epoch milliseconds
 * @throws AppError NOT_FOUND, also once the key is removed
 */
export async function revealReportKey(
  context: RequestContext,
  admin: AdminViewer,
  id: string,
  now: number,
): Promise<RevealedKey> {
  const { db, settings } = context.services;
  const report = await findReport(db, id);
  const file = report?.fileId == null ? null : await findFileById(db, report.fileId);
  if (!file) throw localizedError("NOT_FOUND", "noSuchReport", {});
  const entry = { admin, action: "report.reveal-key", target: id, details: "", at: now } as const;
  const key = await openReportedKey(context.services, id, await revealSharedKey(db, id, entry));
  if (!key) throw localizedError("NOT_FOUND", "noSharedKey", {});
  giveReportCookie(context, file.downloadId, id);
  const { fragment, password } = key;
  const link = `${shareUrl(settings, file.downloadId)}#${fragment}`;
  return { fragment, ...(password !== undefined && { password }), link };
}

/**
 * Settles a report. A takedown of a file or transfer settles all of its open reports. A takedown of one file of a
 * transfer settles the reports of that file, or all reports of the transfer if no other file is left.
 * @param now epoch milliseconds
 * @throws AppError NOT_FOUND, REPORT_SETTLED
 */
export async function settleFileReport(
  services: Services,
  admin: AdminViewer,
  id: string,
  settlement: SettleReportRequest,
  now: number,
): Promise<void> {
  const report = await findReport(services.db, id);
  if (!report) throw localizedError("NOT_FOUND", "noSuchReport", {});
  if (report.settledAt) throw new AppError("REPORT_SETTLED");
  const { outcome, note, whole, ground } = settlement;
  const decided = { reason: note, ground };
  const takenDownEntry = outcome === "taken-down" && !whole ? report.entry : null;
  // The takedown precedes the settlement: if the takedown fails, the report stays open, and the call can be repeated.
  if (report.fileId !== null && takenDownEntry !== null) {
    await takeDownUnlessGone(services, admin, { id: report.fileId, n: takenDownEntry }, decided, now);
  }
  const details = note === "" ? outcome : `${outcome}: ${note}`;
  const entry = { admin, action: "report.settle", target: id, details, at: now } as const;
  const settled = await settleReport(services.db, report, { outcome, note, takenDownEntry }, entry);
  if (!settled) throw new AppError("REPORT_SETTLED");
  if (settled.takenDown) await finishTakeDown(services, settled.takenDown, decided, now);
  const file = report.fileId === null ? null : await findFileById(services.db, report.fileId);
  await tellReporters(services, settled.reports, file, { isTakenDown: outcome === "taken-down", reason: note }, now);
}

const GONE: readonly ErrorCode[] = ["FILE_EXPIRED", "FILE_NOT_FOUND"];

/** Ignores a file that can no longer be downloaded, because such a file needs no takedown. */
async function takeDownUnlessGone(
  services: Services,
  admin: AdminViewer,
  entry: { id: string; n: number },
  decided: Decided,
  now: number,
): Promise<void> {
  try {
    await takeDownEntry(services, admin, entry, decided, now);
  } catch (error) {
    if (!(error instanceof AppError) || !GONE.includes(error.code)) throw error;
  }
}
