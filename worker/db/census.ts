import { and, asc, desc, eq, gt, isNull, lt, lte, sql } from "drizzle-orm";
import type { KnownOrphan } from "#domain/orphans.ts";
import type { CensusFinding } from "#domain/wire.ts";
import type { Database } from "./client.ts";
import { repeatable } from "./faults.ts";
import { knownOrphansByKey, noteOrphans, toKnownOrphan, type OrphansOfRange } from "./orphans.ts";
import { censuses, censusFindings, files } from "./schema.ts";

export type CensusRow = typeof censuses.$inferSelect;
export type FindingRow = typeof censusFindings.$inferSelect;

const WHAT_A_CENSUS_ASKS = {
  id: files.id,
  s3Key: files.s3Key,
  size: files.size,
  status: files.status,
  expiresAt: files.expiresAt,
  s3DeletedAt: files.s3DeletedAt,
};

/** Of a file's row, what decides whether its object has to be there. */
export type CensusFile = Pick<typeof files.$inferSelect, keyof typeof WHAT_A_CENSUS_ASKS>;

/** Rows of files, and known orphans, each in the order of their objects' keys and at most `limit`. */
export async function listByKey(
  db: Database,
  after: string,
  limit: number,
): Promise<{ rows: CensusFile[]; orphans: KnownOrphan[] }> {
  const [rows, orphans] = await db.batch([
    db.select(WHAT_A_CENSUS_ASKS).from(files).where(gt(files.s3Key, after)).orderBy(asc(files.s3Key)).limit(limit),
    knownOrphansByKey(db, after, limit),
  ]);
  return { rows, orphans: orphans.map(toKnownOrphan) };
}

/** The rows of those objects, as far as there are any. */
export async function listFilesOfKeys(db: Database, keys: string[]): Promise<CensusFile[]> {
  if (keys.length === 0) return [];
  return db
    .select(WHAT_A_CENSUS_ASKS)
    .from(files)
    .where(sql`${files.s3Key} in (select value from json_each(${JSON.stringify(keys)}))`);
}

/** The census that began last, or null. */
export async function findLastCensus(db: Database): Promise<CensusRow | null> {
  const [row] = await db.select().from(censuses).orderBy(desc(censuses.startedAt)).limit(1);
  return row ?? null;
}

/** Begins a census, unless one goes on. */
export async function beginCensus(db: Database, now: number): Promise<void> {
  await db
    .insert(censuses)
    .values({ startedAt: new Date(now) })
    .onConflictDoNothing();
}

export interface CensusStep {
  objects: number;
  rows: number;
  /** Lost files, and orphans that were deleted. */
  findings: CensusFinding[];
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
 * Takes a census on from where it stood, with what was found; one that is at its end forgets lost files that it has not
 * seen lost any more.
 * @returns whether it did; false when another run has taken it on meanwhile
 */
export async function advanceCensus(db: Database, census: CensusRow, step: CensusStep, now: number): Promise<boolean> {
  const at = new Date(now);
  const stands = and(eq(censuses.id, census.id), eq(censuses.cursor, census.cursor), isNull(censuses.finishedAt));
  const isOurs = sql`exists (select 1 from ${censuses} where ${stands})`;
  const range = { after: census.cursor, end: step.next, ...step.keptOrphans };
  const rows = step.findings.map(({ kind, s3Key, fileId, size }) => ({ kind, s3Key, fileId, sizeBytes: size }));
  const lost = step.findings.filter(({ kind }) => kind === "lost").length;
  const [, , , advanced] = await db.batch([
    db
      .insert(censusFindings)
      .select(
        sql`
          select json_extract(value, '$.s3Key'), json_extract(value, '$.kind'), json_extract(value, '$.fileId'),
            json_extract(value, '$.sizeBytes'), ${now}, ${now}
          from json_each(${JSON.stringify(rows)}) where true`,
      )
      .onConflictDoUpdate({ target: censusFindings.s3Key, set: { kind: sql`excluded.kind`, lastSeenAt: at } }),
    ...noteOrphans(db, range, now, isOurs),
    db
      .update(censuses)
      .set({
        objects: sql`${censuses.objects} + ${step.objects}`,
        rows: sql`${censuses.rows} + ${step.rows}`,
        orphans: sql`${censuses.orphans} + ${step.orphans}`,
        lost: sql`${censuses.lost} + ${lost}`,
        orphansFirstSeen: sql`${censuses.orphansFirstSeen} + ${step.keptOrphans.firstSeen.length}`,
        orphansDeletedUnapproved: sql`${censuses.orphansDeletedUnapproved} + ${step.deletedUnapproved}`,
        ...(step.stops ? { stoppedAt: sql`coalesce(${censuses.stoppedAt}, ${now})` } : {}),
        ...(step.next === null ? { finishedAt: at } : { cursor: step.next }),
      })
      .where(stands),
    ...(step.next === null
      ? [
          db
            .delete(censusFindings)
            .where(and(eq(censusFindings.kind, "lost"), lt(censusFindings.lastSeenAt, census.startedAt))),
        ]
      : []),
  ]);
  return advanced.meta.changes === 1;
}

/** What censuses found, newest first. */
export async function listFindings(db: Database, limit: number): Promise<FindingRow[]> {
  return db.select().from(censusFindings).orderBy(desc(censusFindings.foundAt)).limit(limit);
}

/** Drops censuses that began before `before`, and the orphans found until then: those are gone. */
export async function dropOldCensuses(db: Database, before: number, limit: number): Promise<void> {
  const old = new Date(before);
  const begun = db.select({ id: censuses.id }).from(censuses).where(lte(censuses.startedAt, old)).limit(limit);
  const found = db
    .select({ s3Key: censusFindings.s3Key })
    .from(censusFindings)
    .where(and(lte(censusFindings.foundAt, old), eq(censusFindings.kind, "orphan")))
    .limit(limit);
  await repeatable(() =>
    db.batch([
      db.delete(censuses).where(sql`${censuses.id} in ${begun}`),
      db.delete(censusFindings).where(sql`${censusFindings.s3Key} in ${found}`),
    ]),
  );
}
