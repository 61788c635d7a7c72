import { and, desc, eq, getTableColumns, inArray, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import type { Locale } from "#domain/locale.ts";
import type { ReportOutcome, ReportRequest, ReportsQuery } from "#domain/wire.ts";
import { auditEntryInsert, type AuditEntry } from "./admin-audit.ts";
import { takeDownUpdate, type TakenDownFile } from "./admin-files.ts";
import { caseUpsert, holdRelease, reportCaseClosure } from "./cases.ts";
import type { Database } from "./client.ts";
import type { FileRow } from "./files.ts";
import { cappedCount, readPage, type CountedPage } from "./paging.ts";
import { retryIdempotent } from "./retries.ts";
import { fileReports, files } from "./schema.ts";

export type ReportRow = typeof fileReports.$inferSelect;

export interface NewReport extends Omit<ReportRequest, "sharedKey"> {
  id: string;
  fileId: string;
  /** The owner of the file. Null for the file of a visitor. */
  userId: string | null;
  locale: Locale;
  ipAddress: string;
  /** The sealed key of an encrypted link. Null if the reporter shares no key. */
  sharedKey: string | null;
  /** Epoch milliseconds. */
  createdAt: number;
}

/**
 * Keeps a report and opens its case. A report of child abuse closes the link to everybody and keeps its bytes, unless an
 * administrator has dismissed such a report before.
 * @returns whether this report has closed the link
 */
export async function insertReport(db: Database, { createdAt, userId, ...report }: NewReport): Promise<boolean> {
  const { id, fileId, reason } = report;
  const at = new Date(createdAt);
  const wasDismissed = sql`exists (select 1 from ${fileReports} where ${fileReports.fileId} = ${fileId}
    and ${fileReports.reason} = 'child-abuse' and ${fileReports.outcome} = 'dismissed')`;
  const [, , kept] = await db.batch([
    db.insert(fileReports).values({ ...report, createdAt: at }),
    caseUpsert(db, { kind: "report", fileId, userId, detail: { reason }, reportId: id }, createdAt),
    db
      .update(files)
      .set({ keptAt: at, heldAt: sql`coalesce(${files.heldAt}, ${createdAt})` })
      .where(and(eq(files.id, fileId), isNull(files.keptAt), sql`${reason} = 'child-abuse'`, sql`not ${wasDismissed}`)),
  ]);
  return kept.meta.changes === 1;
}

const isOpen = isNull(fileReports.settledAt);

const REPORTS_OF_FILE = 20;

/** The newest reports of a file. */
export async function listReportsOf(db: Database, fileId: string): Promise<ReportRow[]> {
  return db
    .select()
    .from(fileReports)
    .where(eq(fileReports.fileId, fileId))
    .orderBy(desc(fileReports.createdAt))
    .limit(REPORTS_OF_FILE);
}

/** The open reports of a file, oldest first. */
export async function listOpenReportsOf(db: Database, fileId: string): Promise<ReportRow[]> {
  return db
    .select()
    .from(fileReports)
    .where(and(eq(fileReports.fileId, fileId), isOpen))
    .orderBy(fileReports.createdAt);
}

/** One page of reports with their files: open reports oldest first, settled reports newest first. */
export async function listReports(
  db: Database,
  { state = "open", ...place }: ReportsQuery,
): Promise<CountedPage<{ report: ReportRow; file: FileRow | null }>> {
  const selected = state === "open" ? isOpen : isNotNull(fileReports.settledAt);
  const isOfOpen = state === "open";
  const by = sql<number>`${isOfOpen ? fileReports.createdAt : fileReports.settledAt}`;
  const page = readPage(fileReports, selected, { by, descending: !isOfOpen }, place);
  const fileIds = db.select({ fileId: fileReports.fileId }).from(page.source);
  const [found, reportedFiles, [counted]] = await db.batch([
    db.select({ ...getTableColumns(fileReports), ...page.edge }).from(page.source),
    db.select().from(files).where(inArray(files.id, fileIds)),
    cappedCount(db, fileReports, selected),
  ]);
  const byId = new Map(reportedFiles.map((file) => [file.id, file]));
  const { rows, ...cursors } = page.cut(found);
  return {
    rows: rows.map((report) => ({ report, file: byId.get(report.fileId ?? "") ?? null })),
    ...cursors,
    total: counted?.total ?? 0,
  };
}

export async function findReport(db: Database, id: string): Promise<ReportRow | null> {
  const [row] = await db.select().from(fileReports).where(eq(fileReports.id, id)).limit(1);
  return row ?? null;
}

/**
 * Reads the shared key of a report, as stored, and logs the access in the admin log.
 * @returns null if the report has no key
 */
export async function revealSharedKey(db: Database, id: string, entry: AuditEntry): Promise<string | null> {
  const [revealed] = await db.batch([
    // An UPDATE without a change, whose count of changed rows makes the next statement log the access.
    db
      .update(fileReports)
      .set({ sharedKey: sql`${fileReports.sharedKey}` })
      .where(and(eq(fileReports.id, id), isNotNull(fileReports.sharedKey)))
      .returning({ sharedKey: fileReports.sharedKey }),
    auditEntryInsert(db, entry),
  ]);
  return revealed[0]?.sharedKey ?? null;
}

/** @returns the stored key; null if the file has no open report `id`, and once the key is removed */
export async function findOpenSharedKey(db: Database, id: string, fileId: string): Promise<string | null> {
  const [row] = await db
    .select({ sharedKey: fileReports.sharedKey })
    .from(fileReports)
    .where(and(eq(fileReports.id, id), eq(fileReports.fileId, fileId), isOpen))
    .limit(1);
  return row?.sharedKey ?? null;
}

/** A report with the stored form of its shared key. */
export interface SharedKeyRow {
  id: string;
  sharedKey: string;
}

/**
 * Lists shared keys stored in clear, or sealed by the data key `keyId`.
 * @param keyId null to list only the keys that are stored in clear
 */
export async function listSharedKeysToSeal(db: Database, keyId: string | null, limit: number): Promise<SharedKeyRow[]> {
  const start = (text: string) => sql`substr(${fileReports.sharedKey}, 1, ${text.length}) = ${text}`;
  const rows = await db
    .select({ id: fileReports.id, sharedKey: fileReports.sharedKey })
    .from(fileReports)
    .where(and(isNotNull(fileReports.sharedKey), or(start("{"), keyId === null ? undefined : start(`${keyId}.`))))
    .limit(limit);
  return rows.flatMap(({ id, sharedKey }) => (sharedKey === null ? [] : { id, sharedKey }));
}

/**
 * Changes nothing when the key was removed since it was read.
 * @param sealed the same key, sealed with the present data key
 */
export async function replaceSharedKey(
  db: Database,
  { id, sharedKey }: SharedKeyRow,
  sealed: string,
): Promise<boolean> {
  const { meta } = await db
    .update(fileReports)
    .set({ sharedKey: sealed })
    .where(and(eq(fileReports.id, id), eq(fileReports.sharedKey, sharedKey)));
  return meta.changes === 1;
}

/**
 * Deletes old shared keys. There are few old keys: an IP address may send 3 reports an hour.
 * @param before epoch milliseconds
 */
export async function forgetOldSharedKeys(db: Database, before: number): Promise<void> {
  const isOld = and(isNotNull(fileReports.sharedKey), lt(fileReports.createdAt, new Date(before)));
  await retryIdempotent(() => db.update(fileReports).set({ sharedKey: null }).where(isOld));
}

/** A report that was settled, and where its reporter is told. */
export type SettledReport = Pick<ReportRow, "id" | "email" | "locale">;

export interface Settlement {
  outcome: ReportOutcome;
  note: string;
  /** The entry of a transfer that the caller has taken down. Null: `settleReport` takes down the whole file. */
  takenDownEntry: number | null;
}

/**
 * Settles a report. A takedown also settles all open reports of the same entry or file. If an entry was a transfer's
 * last one, its takedown has ended the transfer, and all reports of the transfer are settled. Closes the case of the
 * reports once none of them is open, and lets a link go on that only waited for this case.
 * @returns null when the report is not open. `takenDown` is the file if this call took it down
 */
export async function settleReport(
  db: Database,
  { id, fileId }: Pick<ReportRow, "id" | "fileId">,
  { outcome, note, takenDownEntry }: Settlement,
  entry: AuditEntry,
): Promise<{ reports: SettledReport[]; takenDown: TakenDownFile | null } | null> {
  const takesDown = outcome === "taken-down" && fileId !== null;
  const isDown = sql`exists (select 1 from ${files} where ${files.id} = ${fileId} and ${files.takedownReason} is not null)`;
  const ofEntry = takenDownEntry === null ? undefined : or(eq(fileReports.entry, takenDownEntry), isDown);
  const settle = db
    .update(fileReports)
    .set({ outcome, note, settledAt: new Date(entry.at), settledBy: entry.admin.username, sharedKey: null })
    .where(
      and(
        isOpen,
        takesDown ? and(eq(fileReports.fileId, fileId), ofEntry) : eq(fileReports.id, id),
        sql`exists (select 1 from ${fileReports} as requested where requested.id = ${id} and requested.settled_at is null)`,
      ),
    )
    .returning({ id: fileReports.id, email: fileReports.email, locale: fileReports.locale });
  const closed = [
    reportCaseClosure(db, { id, fileId }, outcome, entry),
    ...(fileId === null || outcome !== "dismissed" ? [] : [holdRelease(db, fileId)]),
  ];
  if (!takesDown || takenDownEntry !== null) {
    const [reports] = await db.batch([settle, auditEntryInsert(db, entry), ...closed]);
    return reports.length > 0 ? { reports, takenDown: null } : null;
  }
  const wasSettled = sql`exists (select 1 from ${fileReports} where ${fileReports.id} = ${id} and ${fileReports.settledAt} = ${entry.at} and ${fileReports.outcome} = 'taken-down')`;
  const [reports, , takenDown] = await db.batch([
    settle,
    auditEntryInsert(db, entry),
    takeDownUpdate(db, fileId, note, entry.at, wasSettled),
    auditEntryInsert(db, { ...entry, action: "file.take-down", target: fileId, details: note }),
    ...closed,
  ]);
  return reports.length > 0 ? { reports, takenDown: takenDown[0] ?? null } : null;
}
