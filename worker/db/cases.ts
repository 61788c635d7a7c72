import { and, desc, eq, getTableColumns, isNotNull, isNull, ne, sql } from "drizzle-orm";
import type { CaseDetail, CaseKind, CaseOutcome } from "#domain/moderation/cases.ts";
import type { CasesQuery } from "#domain/wire.ts";
import { auditEntryInsert, type AuditEntry } from "./admin-audit.ts";
import type { Database } from "./client.ts";
import type { FileRow } from "./files.ts";
import { cappedCount, readPage, type CountedPage } from "./paging.ts";
import { cases, fileReports, files, users } from "./schema.ts";

export interface NewCase {
  kind: CaseKind;
  /** The link's file. Null for a case about an account. */
  fileId: string | null;
  /** The owner of the file, or the account. Null for the file of a visitor. */
  userId: string | null;
  /** Replaces the detail of the open case. */
  detail: CaseDetail;
  /** Only for the kind `report`. */
  reportId?: string;
}

const isOpen = sql`${cases.closedAt} is null`;

/**
 * The statement that opens a case, for a batch. A link, or an account without a link, has one open case of each kind:
 * a further one raises its count and replaces its detail.
 * @param now epoch milliseconds
 */
export function caseUpsert(db: Database, { kind, fileId, userId, detail, reportId }: NewCase, now: number) {
  const at = new Date(now);
  const subject = fileId ?? userId ?? crypto.randomUUID();
  return db
    .insert(cases)
    .values({ kind, subject, fileId, userId, reportId: reportId ?? null, openedAt: at, latestAt: at, detail })
    .onConflictDoUpdate({
      target: [cases.kind, cases.subject],
      targetWhere: isOpen,
      set: {
        count: sql`${cases.count} + 1`,
        latestAt: at,
        detail: sql`excluded.detail`,
        reportId: sql`coalesce(excluded.report_id, ${cases.reportId})`,
      },
    })
    .returning({ id: cases.id, count: cases.count });
}

/**
 * Puts something into the administrator's queue.
 * @param now epoch milliseconds
 * @returns the case's id, and how many times its reason has come up; 1 for a case that is new
 */
export async function openCase(db: Database, opened: NewCase, now: number): Promise<{ id: string; count: number }> {
  const [row] = await caseUpsert(db, opened, now);
  if (!row) throw new Error(`no row of a case about ${opened.fileId ?? opened.userId}`);
  return row;
}

/** A case with its file and account. */
export interface QueueRow {
  case: typeof cases.$inferSelect;
  file: FileRow | null;
  account: Pick<typeof users.$inferSelect, "id" | "email" | "createdAt" | "suspendedAt" | "deletedAt"> | null;
}

async function withSubjects(db: Database, rows: (typeof cases.$inferSelect)[]): Promise<QueueRow[]> {
  const idsOf = (ids: (string | null)[]) => sql`(select value from json_each(${JSON.stringify(ids)}))`;
  const { id, email, createdAt, suspendedAt, deletedAt } = users;
  const [found, owners] = await db.batch([
    db
      .select()
      .from(files)
      .where(sql`${files.id} in ${idsOf(rows.map(({ fileId }) => fileId))}`),
    db
      .select({ id, email, createdAt, suspendedAt, deletedAt })
      .from(users)
      .where(sql`${users.id} in ${idsOf(rows.map(({ userId }) => userId))}`),
  ]);
  return rows.map((row) => ({
    case: row,
    file: found.find((file) => file.id === row.fileId) ?? null,
    account: owners.find((owner) => owner.id === row.userId) ?? null,
  }));
}

/** One page of the queue, newest first. */
export async function listCases(
  db: Database,
  { state = "open", ...place }: CasesQuery,
): Promise<CountedPage<QueueRow>> {
  const selected = state === "open" ? isOpen : isNotNull(cases.closedAt);
  const by = sql<number>`${state === "open" ? cases.latestAt : cases.closedAt}`;
  const page = readPage(cases, selected, { by, descending: true }, place);
  const [found, [counted]] = await db.batch([
    db.select({ ...getTableColumns(cases), ...page.edge }).from(page.source),
    cappedCount(db, cases, selected),
  ]);
  const { rows, ...cursors } = page.cut(found);
  return { rows: await withSubjects(db, rows), ...cursors, total: counted?.total ?? 0 };
}

export async function findCase(db: Database, id: string): Promise<QueueRow | null> {
  const rows = await db.select().from(cases).where(eq(cases.id, id)).limit(1);
  const [row] = await withSubjects(db, rows);
  return row ?? null;
}

/** How many other cases of an account are shown beside a case. */
const OTHER_CASES = 20;

/** The other cases of an account, newest first. */
export async function listCasesOf(db: Database, userId: string, exceptId: string): Promise<QueueRow[]> {
  const rows = await db
    .select()
    .from(cases)
    .where(and(eq(cases.userId, userId), ne(cases.id, exceptId)))
    .orderBy(desc(cases.latestAt))
    .limit(OTHER_CASES);
  return withSubjects(db, rows);
}

const closedColumns = (outcome: CaseOutcome, { admin, at }: Pick<AuditEntry, "admin" | "at">) => ({
  closedAt: new Date(at),
  closedBy: admin.username,
  outcome,
});

/**
 * Closes a case, logs it, and lets a link go on that only waited for it. @param releases whether the link may go on
 * @returns whether this call has closed the case
 */
export async function closeCase(
  db: Database,
  { id, fileId }: Pick<typeof cases.$inferSelect, "id" | "fileId">,
  outcome: CaseOutcome,
  entry: AuditEntry,
  releases: boolean,
): Promise<boolean> {
  const [closed] = await db.batch([
    db
      .update(cases)
      .set(closedColumns(outcome, entry))
      .where(and(eq(cases.id, id), isOpen)),
    auditEntryInsert(db, entry),
    ...(fileId === null || !releases ? [] : [holdRelease(db, fileId)]),
  ]);
  return closed.meta.changes === 1;
}

/**
 * The statement that closes the case of a report once all reports of its file are settled, for the batch that settles
 * the report.
 */
export function reportCaseClosure(
  db: Database,
  { id, fileId }: { id: string; fileId: string | null },
  outcome: CaseOutcome,
  entry: Pick<AuditEntry, "admin" | "at">,
) {
  const isOfCase = fileId === null ? eq(cases.reportId, id) : eq(cases.fileId, fileId);
  const isWaiting = sql`exists (select 1 from ${fileReports} where ${fileReports.fileId} = ${cases.fileId}
    and ${fileReports.settledAt} is null)`;
  return db
    .update(cases)
    .set(closedColumns(outcome, entry))
    .where(and(isOfCase, eq(cases.kind, "report"), isOpen, sql`not ${isWaiting}`));
}

/** The statement that lets a held link go on if no case of it is open. */
export function holdRelease(db: Database, fileId: string) {
  const isWaiting = sql`exists (select 1 from ${cases} where ${cases.fileId} = ${fileId} and ${isOpen})`;
  return db
    .update(files)
    .set({ heldAt: null, keptAt: null })
    .where(and(eq(files.id, fileId), isNotNull(files.heldAt), eq(files.adminDeleted, false), sql`not ${isWaiting}`));
}

/**
 * Holds a link of a new account, and opens its case. @param now epoch milliseconds
 * @returns whether this call has held the link
 */
export async function holdLink(
  db: Database,
  { fileId, userId, detail }: { fileId: string; userId: string; detail: CaseDetail },
  now: number,
): Promise<boolean> {
  const [, held] = await db.batch([
    caseUpsert(db, { kind: "unusual", fileId, userId, detail }, now),
    db
      .update(files)
      .set({ heldAt: new Date(now) })
      .where(and(eq(files.id, fileId), isNull(files.heldAt))),
  ]);
  return held.meta.changes === 1;
}

/** Lifts the limits of new accounts for one account. */
export async function trustAccount(db: Database, entry: AuditEntry): Promise<void> {
  await db.batch([
    db
      .update(users)
      .set({ trustedAt: new Date(entry.at) })
      .where(and(eq(users.id, entry.target), isNull(users.trustedAt))),
    auditEntryInsert(db, entry),
  ]);
}
