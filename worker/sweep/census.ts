import { isExpired } from "#domain/expiry.ts";
import { DAY_MS, SECOND_MS } from "#domain/units.ts";
import { ORPHANED_AFTER_MS } from "#domain/upload-life.ts";
import { CENSUS_FINDINGS, type CensusFinding, type CensusWindow } from "#domain/wire.ts";
import type { Services } from "../context.ts";
import {
  advanceCensus,
  beginCensus,
  findLastCensus,
  listFilesByKey,
  listFilesOfKeys,
  type CensusFile,
} from "../db/census.ts";
import { logWarning } from "../log.ts";
import { deleteObjects, listFileObjects, type ListedObject } from "../storage/objects.ts";

/** One listing of the store holds as many (R2 platform limit), and one deletion takes as many. */
const WINDOW = 1000;
/** A run of the cron looks at so many windows: a million files are gone through in less than two hours. */
const WINDOWS_A_RUN = 10;
const BUDGET_MS = 5 * SECOND_MS;
/** From the beginning of a census to that of the next. */
const EVERY_MS = DAY_MS;

export interface CensusBite {
  windows: number;
  orphans: number;
  lost: number;
  /** Whether the census is through. */
  finished: boolean;
}

/**
 * Takes the census on by a bite: deletes orphans, and writes down what is lost, which is never deleted. It may be killed
 * anywhere, run again, and run beside itself.
 * @param clock epoch milliseconds, read before each window
 * @param width keys of a window
 */
export async function takeCensus(services: Services, clock: () => number, width = WINDOW): Promise<CensusBite> {
  const { db, bucket } = services;
  const deadline = clock() + BUDGET_MS;
  const bite: CensusBite = { windows: 0, orphans: 0, lost: 0, finished: false };
  const last = await findLastCensus(db);
  if (!last || (last.finishedAt && last.startedAt.getTime() + EVERY_MS <= clock())) await beginCensus(db, clock());
  while (bite.windows < WINDOWS_A_RUN && clock() < deadline) {
    const census = await findLastCensus(db);
    if (!census || census.finishedAt) return { ...bite, finished: true };
    const now = clock();
    const window = await lookAt(services, census.cursor, now, width);
    note(window.findings);
    const orphans = window.findings.filter(({ kind }) => kind === "orphan");
    await deleteObjects(
      bucket,
      orphans.map(({ s3Key }) => s3Key),
    );
    if (!(await advanceCensus(db, census, window, now))) return bite;
    bite.windows += 1;
    bite.orphans += orphans.length;
    bite.lost += window.findings.length - orphans.length;
    if (window.next === null) return { ...bite, finished: true };
  }
  return bite;
}

/** Of each kind, so many keys are named in a line of the log; the rows of findings have all. */
const NAMED = 20;

/** A file that is lost is somebody's to look after; an orphan goes. */
function note(findings: CensusFinding[]): void {
  for (const kind of CENSUS_FINDINGS) {
    const keys = findings.filter((finding) => finding.kind === kind).map(({ s3Key }) => s3Key);
    if (keys.length === 0) continue;
    logWarning(`census.${kind}`, { count: keys.length, keys: keys.slice(0, NAMED) });
  }
}

/**
 * Compares one stretch of keys, in the store and in the database. Both are read in the order of their keys, as far as
 * the shorter of the two reaches. Changes nothing.
 * @param after the key that the stretch begins after
 * @param now epoch milliseconds
 * @param width objects, and rows, that are read at most
 */
export async function lookAt(
  { db, bucket }: Pick<Services, "db" | "bucket">,
  after: string,
  now: number,
  width = WINDOW,
): Promise<CensusWindow> {
  // Rows first: what a row says has been stored was in the store before.
  const rows = await listFilesByKey(db, after, width);
  const { objects, hasMore } = await listFileObjects(bucket, after, width);
  const ends = [hasMore ? objects.at(-1)?.key : undefined, rows.length < width ? undefined : rows.at(-1)?.s3Key];
  const [end] = ends.filter((key) => key !== undefined).sort(byBytes);
  const within = (key: string) => end === undefined || byBytes(key, end) <= 0;
  const stretch = {
    rows: rows.filter(({ s3Key }) => within(s3Key)),
    objects: objects.filter(({ key }) => within(key)),
  };
  return {
    objects: stretch.objects.length,
    rows: stretch.rows.length,
    findings: await confirmed(db, suspected(stretch, now), now),
    next: end ?? null,
  };
}

interface Suspect {
  key: string;
  /** Null where the store has none. */
  object: ListedObject | null;
}

/** Whatever of a stretch does not fit together. */
function suspected({ rows, objects }: { rows: CensusFile[]; objects: ListedObject[] }, now: number): Suspect[] {
  const rowOf = new Map(rows.map((row) => [row.s3Key, row]));
  const objectOf = new Map(objects.map((object) => [object.key, object]));
  const keys = new Set([...rowOf.keys(), ...objectOf.keys()]);
  return [...keys]
    .map((key) => ({ key, object: objectOf.get(key) ?? null }))
    .filter(({ key, object }) => judge(rowOf.get(key) ?? null, object, now) !== null);
}

/** Rows are read again: while the store was listed, an upload may have begun, and a file may have ended. */
async function confirmed(db: Services["db"], suspects: Suspect[], now: number): Promise<CensusFinding[]> {
  const rows = await listFilesOfKeys(
    db,
    suspects.map(({ key }) => key),
  );
  const rowOf = new Map(rows.map((row) => [row.s3Key, row]));
  return suspects.flatMap(({ key, object }) => {
    const row = rowOf.get(key) ?? null;
    const kind = judge(row, object, now);
    const size = (kind === "orphan" ? object?.sizeBytes : row?.size) ?? 0;
    return kind ? [{ kind, s3Key: key, fileId: row?.id ?? null, size }] : [];
  });
}

function judge(row: CensusFile | null, object: ListedObject | null, now: number): CensusFinding["kind"] | null {
  const isWanted = row?.status === "ready" && !row.s3DeletedAt;
  const lives = isWanted && !isExpired(row.expiresAt?.getTime() ?? null, now);
  if (lives) return object?.sizeBytes === row.size ? null : "lost";
  // An unfinished upload's object is its own to end, an expired file's the sweep's.
  if (!object || isWanted || row?.status === "uploading") return null;
  return object.uploadedAt <= now - ORPHANED_AFTER_MS ? "orphan" : null;
}

/** As the store and SQLite order keys, which are ASCII. */
function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
