import { and, asc, desc, eq, gt, isNull, lt, lte, sql } from "drizzle-orm";
import type { KnownOrphan } from "#domain/orphans.ts";
import type { ReconciliationFinding } from "#domain/wire.ts";
import type { Database } from "./client.ts";
import { repeatable } from "./retries.ts";
import { knownOrphansByKey, recordOrphans, toKnownOrphan, type OrphansOfRange } from "./orphans.ts";
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
};

/** Of a file's row, what decides whether its object has to be there. */
export type ReconciledFile = Pick<typeof files.$inferSelect, keyof typeof RECONCILED_COLUMNS>;

/** Rows of files, and known orphans, each in the order of their objects' keys and at most `limit`. */
export async function listByKey(
  db: Database,
  after: string,
  limit: number,
): Promise<{ rows: ReconciledFile[]; orphans: KnownOrphan[] }> {
  const [rows, orphans] = await db.batch([
    db.select(RECONCILED_COLUMNS).from(files).where(gt(files.s3Key, after)).orderBy(asc(files.s3Key)).limit(limit),
    knownOrphansByKey(db, after, limit),
  ]);
  return { rows, orphans: orphans.map(toKnownOrphan) };
}

/** The rows of those objects, as far as there are any. */
export async function listFilesOfKeys(db: Database, keys: string[]): Promise<ReconciledFile[]> {
  if (keys.length === 0) return [];
  return db
    .select(RECONCILED_COLUMNS)
    .from(files)
    .where(sql`${files.s3Key} in (select value from json_each(${JSON.stringify(keys)}))`);
}

/** The reconciliation that began last, or null. */
export async function findLastReconciliation(db: Database): Promise<ReconciliationRow | null> {
  const [row] = await db.select().from(reconciliations).orderBy(desc(reconciliations.startedAt)).limit(1);
  return row ?? null;
}

/** Begins a reconciliation, unless one goes on. */
export async function beginReconciliation(db: Database, now: number): Promise<void> {
  await db
    .insert(reconciliations)
    .values({ startedAt: new Date(now) })
    .onConflictDoNothing();
}

export interface ReconciliationStep {
  objects: number;
  rows: number;
  /** Lost files, and orphans that were deleted. */
  findings: ReconciliationFinding[];
  next: string | null;
  /** How many orphans were found, whatever became of them. */
  orphans: number;
  /** Which of them stay, and which of those were seen for the first time. */
  keptOrphans: Pick<OrphansOfRange, "firstSeen" | "kept">;
  deletedUnapproved: number;
  /** Whether there were too many orphans. */
  stops: boolean;
}

/**
 * Takes a reconciliation on from where it stood, with what was found; one that is at its end forgets lost files that it has not
 * seen lost any more.
 * @returns whether it did; false when another run has taken it on meanwhile
 */
export async function advanceReconciliation(
  db: Database,
  reconciliation: ReconciliationRow,
  step: ReconciliationStep,
  now: number,
): Promise<boolean> {
  const at = new Date(now);
  const stands = and(
    eq(reconciliations.id, reconciliation.id),
    eq(reconciliations.cursor, reconciliation.cursor),
    isNull(reconciliations.finishedAt),
  );
  const isOurs = sql`exists (select 1 from ${reconciliations} where ${stands})`;
  const range = { after: reconciliation.cursor, end: step.next, ...step.keptOrphans };
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
    ...recordOrphans(db, range, now, isOurs),
    db
      .update(reconciliations)
      .set({
        objects: sql`${reconciliations.objects} + ${step.objects}`,
        rows: sql`${reconciliations.rows} + ${step.rows}`,
        orphans: sql`${reconciliations.orphans} + ${step.orphans}`,
        lost: sql`${reconciliations.lost} + ${lost}`,
        orphansFirstSeen: sql`${reconciliations.orphansFirstSeen} + ${step.keptOrphans.firstSeen.length}`,
        orphansDeletedUnapproved: sql`${reconciliations.orphansDeletedUnapproved} + ${step.deletedUnapproved}`,
        ...(step.stops ? { stoppedAt: sql`coalesce(${reconciliations.stoppedAt}, ${now})` } : {}),
        ...(step.next === null ? { finishedAt: at } : { cursor: step.next }),
      })
      .where(stands),
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

/** What reconciliations found, newest first. */
export async function listFindings(db: Database, limit: number): Promise<FindingRow[]> {
  return db.select().from(reconciliationFindings).orderBy(desc(reconciliationFindings.foundAt)).limit(limit);
}

/** Drops reconciliations that began before `before`, and the orphans found until then: those are gone. */
export async function deleteOldReconciliations(db: Database, before: number, limit: number): Promise<void> {
  const old = new Date(before);
  const begun = db
    .select({ id: reconciliations.id })
    .from(reconciliations)
    .where(lte(reconciliations.startedAt, old))
    .limit(limit);
  const found = db
    .select({ s3Key: reconciliationFindings.s3Key })
    .from(reconciliationFindings)
    .where(and(lte(reconciliationFindings.foundAt, old), eq(reconciliationFindings.kind, "orphan")))
    .limit(limit);
  await repeatable(() =>
    db.batch([
      db.delete(reconciliations).where(sql`${reconciliations.id} in ${begun}`),
      db.delete(reconciliationFindings).where(sql`${reconciliationFindings.s3Key} in ${found}`),
    ]),
  );
}
