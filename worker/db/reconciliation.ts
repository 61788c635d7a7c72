import { and, asc, desc, eq, gt, isNull, lt, lte, sql } from "drizzle-orm";
import type { KnownOrphan } from "#domain/orphans.ts";
import type { ReconciliationFinding } from "#domain/wire.ts";
import type { Database } from "./client.ts";
import { retryIdempotent } from "./retries.ts";
import { knownOrphansQuery, orphanStatements, toKnownOrphan, type OrphanRange } from "./orphans.ts";
import { reconciliations, reconciliationFindings, files } from "./schema.ts";

export type ReconciliationRow = typeof reconciliations.$inferSelect;
export type FindingRow = typeof reconciliationFindings.$inferSelect;

const RECONCILED_COLUMNS = {
  id: files.id,
  s3Key: files.s3Key,
  size: files.size,
  status: files.status,
  expiresAt: files.expiresAt,
  s3DeletedAt: files.s3DeletedAt,
  entryCount: files.entryCount,
  objectCount: files.objectCount,
  pictureObjects: files.pictureObjects,
  layout: files.layout,
  uploadedAt: files.uploadedAt,
  zipChangedAt: files.zipChangedAt,
};

export type ReconciledFile = Pick<typeof files.$inferSelect, keyof typeof RECONCILED_COLUMNS>;

/**
 * Lists the file rows and the known orphans that follow an object key, in the order of keys, at most `limit` of each.
 */
export async function listRowsAndOrphans(
  db: Database,
  after: string,
  limit: number,
): Promise<{ rows: ReconciledFile[]; orphans: KnownOrphan[] }> {
  const [rows, orphans] = await db.batch([
    db.select(RECONCILED_COLUMNS).from(files).where(gt(files.s3Key, after)).orderBy(asc(files.s3Key)).limit(limit),
    knownOrphansQuery(db, after, limit),
  ]);
  return { rows, orphans: orphans.map(toKnownOrphan) };
}

export async function listFilesByKeys(db: Database, keys: string[]): Promise<ReconciledFile[]> {
  if (keys.length === 0) return [];
  return db
    .select(RECONCILED_COLUMNS)
    .from(files)
    .where(sql`${files.s3Key} in (select value from json_each(${JSON.stringify(keys)}))`);
}

export async function findLastReconciliation(db: Database): Promise<ReconciliationRow | null> {
  const [row] = await db.select().from(reconciliations).orderBy(desc(reconciliations.startedAt)).limit(1);
  return row ?? null;
}

export async function beginReconciliation(db: Database, now: number): Promise<void> {
  await db
    .insert(reconciliations)
    .values({ startedAt: new Date(now) })
    .onConflictDoNothing();
}

export interface ReconciliationStep {
  objects: number;
  rows: number;
  findings: ReconciliationFinding[];
  next: string | null;
  /** The number of all orphans found, deleted or not. */
  orphans: number;
  remainingOrphans: Pick<OrphanRange, "firstSeen" | "remaining">;
  deletedUnapproved: number;
  /** Whether too many orphans were found, so that the reconciliation stops deleting. */
  stops: boolean;
}

/**
 * Saves the result of comparing one window of keys. The last window's save deletes old findings of lost files.
 * @returns false if another run moved the cursor
 */
export async function advanceReconciliation(
  db: Database,
  reconciliation: ReconciliationRow,
  step: ReconciliationStep,
  now: number,
): Promise<boolean> {
  const at = new Date(now);
  const isAtCursor = and(
    eq(reconciliations.id, reconciliation.id),
    eq(reconciliations.cursor, reconciliation.cursor),
    isNull(reconciliations.finishedAt),
  );
  const cursorUnchanged = sql`exists (select 1 from ${reconciliations} where ${isAtCursor})`;
  const range = { after: reconciliation.cursor, end: step.next, ...step.remainingOrphans };
  const rows = step.findings.map(({ kind, s3Key, fileId, size }) => ({ kind, s3Key, fileId, sizeBytes: size }));
  const lost = step.findings.filter(({ kind }) => kind === "lost").length;
  const [, , , advanced] = await db.batch([
    db
      .insert(reconciliationFindings)
      .select(
        sql`
          select json_extract(value, '$.s3Key'), json_extract(value, '$.kind'), json_extract(value, '$.fileId'),
            json_extract(value, '$.sizeBytes'), ${now}, ${now}
          from json_each(${JSON.stringify(rows)}) where true`,
      )
      .onConflictDoUpdate({ target: reconciliationFindings.s3Key, set: { kind: sql`excluded.kind`, lastSeenAt: at } }),
    ...orphanStatements(db, range, now, cursorUnchanged),
    db
      .update(reconciliations)
      .set({
        objects: sql`${reconciliations.objects} + ${step.objects}`,
        rows: sql`${reconciliations.rows} + ${step.rows}`,
        orphans: sql`${reconciliations.orphans} + ${step.orphans}`,
        lost: sql`${reconciliations.lost} + ${lost}`,
        orphansFirstSeen: sql`${reconciliations.orphansFirstSeen} + ${step.remainingOrphans.firstSeen.length}`,
        orphansDeletedUnapproved: sql`${reconciliations.orphansDeletedUnapproved} + ${step.deletedUnapproved}`,
        ...(step.stops ? { stoppedAt: sql`coalesce(${reconciliations.stoppedAt}, ${now})` } : {}),
        ...(step.next === null ? { finishedAt: at } : { cursor: step.next }),
      })
      .where(isAtCursor),
    ...(step.next === null
      ? [
          db
            .delete(reconciliationFindings)
            .where(
              and(
                eq(reconciliationFindings.kind, "lost"),
                lt(reconciliationFindings.lastSeenAt, reconciliation.startedAt),
              ),
            ),
        ]
      : []),
  ]);
  return advanced.meta.changes === 1;
}

export async function listFindings(db: Database, limit: number): Promise<FindingRow[]> {
  return db.select().from(reconciliationFindings).orderBy(desc(reconciliationFindings.foundAt)).limit(limit);
}

/**
 * Deletes reconciliations that started before `before`, and findings of orphans from before that time. Lost files stay
 * listed.
 */
export async function deleteOldReconciliations(db: Database, before: number, limit: number): Promise<void> {
  const beforeDate = new Date(before);
  const oldReconciliations = db
    .select({ id: reconciliations.id })
    .from(reconciliations)
    .where(lte(reconciliations.startedAt, beforeDate))
    .limit(limit);
  const oldFindings = db
    .select({ s3Key: reconciliationFindings.s3Key })
    .from(reconciliationFindings)
    .where(and(lte(reconciliationFindings.foundAt, beforeDate), eq(reconciliationFindings.kind, "orphan")))
    .limit(limit);
  await retryIdempotent(() =>
    db.batch([
      db.delete(reconciliations).where(sql`${reconciliations.id} in ${oldReconciliations}`),
      db.delete(reconciliationFindings).where(sql`${reconciliationFindings.s3Key} in ${oldFindings}`),
    ]),
  );
}
