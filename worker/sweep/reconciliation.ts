import { isExpired } from "#domain/expiry.ts";
import {
  decideOnOrphans,
  MAX_ORPHANS,
  ORPHAN_RETENTION_MS,
  type KnownOrphan,
  type OrphanDecision,
} from "#domain/orphans.ts";
import { DAY_MS, SECOND_MS } from "#domain/units.ts";
import { ORPHAN_MIN_AGE_MS } from "#domain/upload-lifetime.ts";
import type { ReconciliationFinding, ReconciliationWindow } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import {
  advanceReconciliation,
  beginReconciliation,
  findLastReconciliation,
  listByKey,
  listFilesOfKeys,
  type ReconciledFile,
  type ReconciliationRow,
} from "../db/reconciliation.ts";
import { countUnapprovedOrphans } from "../db/orphans.ts";
import { logWarning } from "../log.ts";
import { deleteObjects, listFileObjects, type ListedObject } from "../storage/objects.ts";

/** One listing of the store holds as many (R2 platform limit), and one deletion takes as many. */
const WINDOW = 1000;
/** A run of the cron looks at so many windows: a million files are gone through in less than two hours. */
const WINDOWS_A_RUN = 10;
const BUDGET_MS = 5 * SECOND_MS;
/** From the beginning of a reconciliation to that of the next. */
const EVERY_MS = DAY_MS;

export interface ReconcileResult {
  windows: number;
  /** Orphans that were found, and those of them that were deleted. */
  orphans: number;
  deleted: number;
  lost: number;
  /** Whether the reconciliation is through. */
  finished: boolean;
}

/**
 * Takes the reconciliation on by a bite: notes orphans, deletes those whose time has come, and writes down what is lost, which
 * is never deleted. It may be killed anywhere, run again, and run beside itself.
 * @param clock epoch milliseconds, read before each window
 * @param width keys of a window
 */
export async function reconcile(services: Services, clock: () => number, width = WINDOW): Promise<ReconcileResult> {
  const { db } = services;
  const deadline = clock() + BUDGET_MS;
  const result: ReconcileResult = { windows: 0, orphans: 0, deleted: 0, lost: 0, finished: false };
  const last = await findLastReconciliation(db);
  if (!last || (last.finishedAt && last.startedAt.getTime() + EVERY_MS <= clock()))
    await beginReconciliation(db, clock());
  while (result.windows < WINDOWS_A_RUN && clock() < deadline) {
    const reconciliation = await findLastReconciliation(db);
    if (!reconciliation || reconciliation.finishedAt) return { ...result, finished: true };
    const done = await takeWindow(services, reconciliation, clock(), width);
    if (!done) return result;
    result.windows += 1;
    result.orphans += done.orphans;
    result.deleted += done.deleted;
    result.lost += done.lost;
    if (done.isLast) return { ...result, finished: true };
  }
  return result;
}

/** @returns what was found and done; null when another run has taken the reconciliation on meanwhile */
async function takeWindow(services: Services, reconciliation: ReconciliationRow, now: number, width: number) {
  const { db, bucket } = services;
  const { window, known } = await readWindow(services, reconciliation.cursor, now, width);
  const lost = window.findings.filter(({ kind }) => kind === "lost");
  const orphans = window.findings.filter(({ kind }) => kind === "orphan");
  const decision = await decide(services, reconciliation, window.objects, orphans, known, now);
  const isDeleted = new Set(decision.deleted);
  const isFirstSeen = new Set(decision.firstSeen);
  const deleted = orphans.filter(({ s3Key }) => isDeleted.has(s3Key));
  const kept = orphans.filter(({ s3Key }) => !isDeleted.has(s3Key));
  const firstSeen = kept.filter(({ s3Key }) => isFirstSeen.has(s3Key));
  note("reconciliation.lost", lost);
  note("reconciliation.orphan", deleted);
  note("reconciliation.orphan_first_seen", firstSeen);
  noteStop(reconciliation, decision, window.objects);
  await deleteObjects(bucket, decision.deleted);
  const advanced = await advanceReconciliation(
    db,
    reconciliation,
    {
      objects: window.objects,
      rows: window.rows,
      next: window.next,
      orphans: orphans.length,
      findings: [...lost, ...deleted],
      keptOrphans: {
        firstSeen: firstSeen.map(({ s3Key, size }) => ({ key: s3Key, sizeBytes: size })),
        kept: kept.map(({ s3Key }) => s3Key),
      },
      deletedUnapproved: decision.deletedUnapproved,
      stops: decision.stops,
    },
    now,
  );
  if (!advanced) return null;
  return { orphans: orphans.length, deleted: deleted.length, lost: lost.length, isLast: window.next === null };
}

async function decide(
  { db }: Services,
  reconciliation: ReconciliationRow,
  objects: number,
  orphans: ReconciliationFinding[],
  known: KnownOrphan[],
  now: number,
): Promise<OrphanDecision> {
  // Asked only where some orphan has to be decided on; one more than the limit shows that it is passed.
  const due = orphans.length === 0 ? 0 : await countUnapprovedOrphans(db, now - ORPHAN_RETENTION_MS, MAX_ORPHANS + 1);
  const before = {
    firstSeen: reconciliation.orphansFirstSeen,
    deletedUnapproved: reconciliation.orphansDeletedUnapproved,
    hasStopped: reconciliation.stoppedAt !== null,
  };
  return decideOnOrphans({ orphans: orphans.map(({ s3Key }) => s3Key), known, objects, due, before }, now);
}

/** So many keys are named in a line of the log; the rows have all. */
const NAMED = 20;

function note(event: string, findings: ReconciliationFinding[]): void {
  if (findings.length === 0) return;
  const keys = findings.map(({ s3Key }) => s3Key);
  logWarning(event, { count: keys.length, keys: keys.slice(0, NAMED) });
}

/** Says once in a reconciliation that there are too many orphans. */
function noteStop(reconciliation: ReconciliationRow, decision: OrphanDecision, objects: number): void {
  if (!decision.stops || reconciliation.stoppedAt !== null) return;
  logWarning("reconciliation.stopped", {
    reconciliation: reconciliation.id,
    objects,
    orphans: decision.unapproved,
    orphansFirstSeen: reconciliation.orphansFirstSeen + decision.firstSeen.length,
  });
}

/**
 * Compares one stretch of keys, in the store and in the database, as far as the shortest list of them reaches. Changes
 * nothing.
 * @param after the key that the stretch begins after
 * @param now epoch milliseconds
 * @param width objects, and rows, that are read at most
 */
export async function inspectWindow(
  services: Pick<Services, "db" | "bucket">,
  after: string,
  now: number,
  width = WINDOW,
): Promise<ReconciliationWindow> {
  return (await readWindow(services, after, now, width)).window;
}

/** The same, with the known orphans of that stretch. */
async function readWindow(
  { db, bucket }: Pick<Services, "db" | "bucket">,
  after: string,
  now: number,
  width: number,
): Promise<{ window: ReconciliationWindow; known: KnownOrphan[] }> {
  // Rows first: what a row says has been stored was in the store before.
  const { rows, orphans } = await listByKey(db, after, width);
  const { objects, hasMore } = await listFileObjects(bucket, after, width);
  const ends = [
    hasMore ? objects.at(-1)?.key : undefined,
    rows.length < width ? undefined : rows.at(-1)?.s3Key,
    orphans.length < width ? undefined : orphans.at(-1)?.key,
  ];
  const [end] = ends.filter((key) => key !== undefined).sort(byBytes);
  const within = (key: string) => end === undefined || byBytes(key, end) <= 0;
  const stretch = {
    rows: rows.filter(({ s3Key }) => within(s3Key)),
    objects: objects.filter(({ key }) => within(key)),
  };
  const window = {
    objects: stretch.objects.length,
    rows: stretch.rows.length,
    findings: await confirmed(db, suspected(stretch, now), now),
    next: end ?? null,
  };
  return { window, known: orphans.filter(({ key }) => within(key)) };
}

interface Suspect {
  key: string;
  /** Null where the store has none. */
  object: ListedObject | null;
}

/** Whatever of a stretch does not fit together. */
function suspected({ rows, objects }: { rows: ReconciledFile[]; objects: ListedObject[] }, now: number): Suspect[] {
  const rowOf = new Map(rows.map((row) => [row.s3Key, row]));
  const objectOf = new Map(objects.map((object) => [object.key, object]));
  const keys = new Set([...rowOf.keys(), ...objectOf.keys()]);
  return [...keys]
    .map((key) => ({ key, object: objectOf.get(key) ?? null }))
    .filter(({ key, object }) => judge(rowOf.get(key) ?? null, object, now) !== null);
}

/** Rows are read again: while the store was listed, an upload may have begun, and a file may have ended. */
async function confirmed(db: Services["db"], suspects: Suspect[], now: number): Promise<ReconciliationFinding[]> {
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

function judge(
  row: ReconciledFile | null,
  object: ListedObject | null,
  now: number,
): ReconciliationFinding["kind"] | null {
  const isWanted = row?.status === "ready" && !row.s3DeletedAt;
  const lives = isWanted && !isExpired(row.expiresAt?.getTime() ?? null, now);
  if (lives) return object?.sizeBytes === row.size ? null : "lost";
  // An unfinished upload's object is its own to end, an expired file's the sweep's.
  if (!object || isWanted || row?.status === "uploading") return null;
  return object.uploadedAt <= now - ORPHAN_MIN_AGE_MS ? "orphan" : null;
}

/** As the store and SQLite order keys, which are ASCII. */
function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
