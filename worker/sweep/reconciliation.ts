import {
  decideOnOrphans,
  MAX_ORPHANS,
  ORPHAN_RETENTION_MS,
  type KnownOrphan,
  type OrphanDecision,
} from "#domain/orphans.ts";
import { DAY_MS, SECOND_MS } from "#domain/units.ts";
import type { ReconciliationFinding, ReconciliationWindow } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import {
  advanceReconciliation,
  beginReconciliation,
  findLastReconciliation,
  listRowsAndOrphans,
  type ReconciliationRow,
} from "../db/reconciliation.ts";
import { countUnapprovedOrphans } from "../db/orphans.ts";
import { logWarning } from "../log.ts";
import { confirmMismatches, findMismatches, MAX_LISTS_READ } from "./mismatches.ts";
import { deleteObjects, listFileObjects } from "../storage/objects.ts";

/** The most objects that a list or delete call of R2 takes (platform limit). */
const WINDOW_SIZE = 1000;
/** How many windows of keys a run compares: with a run per minute, a million files take less than two hours. */
const MAX_WINDOWS_PER_RUN = 10;
const BUDGET_MS = 5 * SECOND_MS;
/** The time between the starts of two reconciliations. */
const INTERVAL_MS = DAY_MS;

export interface ReconcileResult {
  windows: number;
  orphans: number;
  deleted: number;
  lost: number;
  finished: boolean;
}

/**
 * Compares all objects with all rows, and deletes orphans after their waiting time (decision 023). The function may be
 * interrupted, repeated and run concurrently.
 * @param clock returns epoch milliseconds
 * @param windowSize maximum objects, and maximum rows, per window
 */
export async function reconcile(
  services: Services,
  clock: () => number,
  windowSize = WINDOW_SIZE,
): Promise<ReconcileResult> {
  const { db } = services;
  const deadline = clock() + BUDGET_MS;
  const result: ReconcileResult = { windows: 0, orphans: 0, deleted: 0, lost: 0, finished: false };
  const last = await findLastReconciliation(db);
  if (!last || (last.finishedAt && last.startedAt.getTime() + INTERVAL_MS <= clock()))
    await beginReconciliation(db, clock());
  while (result.windows < MAX_WINDOWS_PER_RUN && clock() < deadline) {
    const reconciliation = await findLastReconciliation(db);
    if (!reconciliation || reconciliation.finishedAt) return { ...result, finished: true };
    const window = await processWindow(services, reconciliation, clock(), windowSize);
    if (!window) return result;
    result.windows += 1;
    result.orphans += window.orphans;
    result.deleted += window.deleted;
    result.lost += window.lost;
    if (window.isLast) return { ...result, finished: true };
  }
  return result;
}

/** @returns null when another run has processed the window */
async function processWindow(services: Services, reconciliation: ReconciliationRow, now: number, windowSize: number) {
  const { db, bucket } = services;
  const { window, knownOrphans } = await readWindow(services, reconciliation.cursor, now, windowSize);
  const lost = window.findings.filter(({ kind }) => kind === "lost");
  const orphans = window.findings.filter(({ kind }) => kind === "orphan");
  const decision = await decide(services, reconciliation, window.objects, orphans, knownOrphans, now);
  const isDeleted = new Set(decision.deleted);
  const isFirstSeen = new Set(decision.firstSeen);
  const deleted = orphans.filter(({ s3Key }) => isDeleted.has(s3Key));
  const remaining = orphans.filter(({ s3Key }) => !isDeleted.has(s3Key));
  const firstSeen = remaining.filter(({ s3Key }) => isFirstSeen.has(s3Key));
  logFindings("reconciliation.lost", lost);
  logFindings("reconciliation.orphan", deleted);
  logFindings("reconciliation.orphan_first_seen", firstSeen);
  logStop(reconciliation, decision, window.objects);
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
      remainingOrphans: {
        firstSeen: firstSeen.map(({ s3Key, size }) => ({ key: s3Key, sizeBytes: size })),
        remaining: remaining.map(({ s3Key }) => s3Key),
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
  knownOrphans: KnownOrphan[],
  now: number,
): Promise<OrphanDecision> {
  // One orphan above the limit is enough to see that the limit is exceeded.
  const due = orphans.length === 0 ? 0 : await countUnapprovedOrphans(db, now - ORPHAN_RETENTION_MS, MAX_ORPHANS + 1);
  const before = {
    firstSeen: reconciliation.orphansFirstSeen,
    deletedUnapproved: reconciliation.orphansDeletedUnapproved,
    hasStopped: reconciliation.stoppedAt !== null,
  };
  return decideOnOrphans(
    { orphans: orphans.map(({ s3Key }) => s3Key), known: knownOrphans, objects, due, before },
    now,
  );
}

const MAX_LOGGED_KEYS = 20;

function logFindings(event: string, findings: ReconciliationFinding[]): void {
  if (findings.length === 0) return;
  const keys = findings.map(({ s3Key }) => s3Key);
  logWarning(event, { count: keys.length, keys: keys.slice(0, MAX_LOGGED_KEYS) });
}

/** Logs, once per reconciliation, that it stops deleting orphans. */
function logStop(reconciliation: ReconciliationRow, decision: OrphanDecision, objects: number): void {
  if (!decision.stops || reconciliation.stoppedAt !== null) return;
  logWarning("reconciliation.stopped", {
    reconciliation: reconciliation.id,
    objects,
    orphans: decision.unapproved,
    orphansFirstSeen: reconciliation.orphansFirstSeen + decision.firstSeen.length,
  });
}

/**
 * Compares one window and changes nothing. @param after the key before the window
 * @param now epoch milliseconds @param windowSize maximum objects, and maximum rows
 */
export async function inspectWindow(
  services: Services,
  after: string,
  now: number,
  windowSize = WINDOW_SIZE,
): Promise<ReconciliationWindow> {
  return (await readWindow(services, after, now, windowSize)).window;
}

/** Compares one range of keys, which ends where the shortest of the lists of rows, objects and orphans ends. */
async function readWindow(
  services: Services,
  after: string,
  now: number,
  windowSize: number,
): Promise<{ window: ReconciliationWindow; knownOrphans: KnownOrphan[] }> {
  const { db, bucket } = services;
  // Reads rows before objects: a finished file's object exists before its row is ready.
  const { rows, orphans } = await listRowsAndOrphans(db, after, windowSize);
  const { objects, hasMore } = await listFileObjects(bucket, after, windowSize);
  const ends = [
    hasMore ? objects.at(-1)?.key : undefined,
    rows.length < windowSize ? undefined : rows.at(-1)?.s3Key,
    orphans.length < windowSize ? undefined : orphans.at(-1)?.key,
  ];
  const [end] = ends.filter((key) => key !== undefined).sort(compareKeys);
  const isInRange = (key: string) => end === undefined || compareKeys(key, end) <= 0;
  const range = {
    rows: rows.filter(({ s3Key }) => isInRange(s3Key)),
    objects: objects.filter(({ key }) => isInRange(key)),
  };
  const mismatches = await findMismatches(services, range, end, now);
  if (!mismatches) return readWindow(services, after, now, Math.min(MAX_LISTS_READ, windowSize - 1));
  const window = {
    objects: range.objects.length,
    rows: range.rows.length,
    findings: await confirmMismatches(db, mismatches, now),
    next: end ?? null,
  };
  return { window, knownOrphans: orphans.filter(({ key }) => isInRange(key)) };
}

/** Compares object keys as R2 and SQLite do. The keys are ASCII. */
function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
