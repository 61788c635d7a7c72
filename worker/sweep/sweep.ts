import { INCOMING_RETENTION_MS, isHourlyRun } from "#domain/upload-lifetime.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { Services } from "../services.ts";
import { listPossiblyAbandoned, postponeAbandonment } from "../db/abandoned.ts";
import { claimExpiredFiles, markExpiredDeleted } from "../db/files.ts";
import { INCOMING_PREFIX } from "../storage/keys.ts";
import { deleteObjects } from "../storage/objects.ts";
import { sessionOf } from "../uploads/sessions.ts";

/** Maximum keys per R2 delete call (platform limit). */
const DELETE_BATCH = 1000;
/** Below the six simultaneous connections of an invocation (Workers platform limit). */
const MAX_PARALLEL_DELETES = 5;
const EXPIRED_BATCH = MAX_PARALLEL_DELETES * DELETE_BATCH;
const ABANDONED_BATCH = 50;

/** Maximum calls to D1, R2 and Durable Objects per batch. */
const CALLS_PER_BATCH = { expired: 2 + MAX_PARALLEL_DELETES, abandoned: 1 + 2 * ABANDONED_BATCH, incoming: 2 };

/** The next run continues where one stops. Leaves the other chores 600 of an invocation's 1,000 calls (Workers limit). */
const DEFAULT_BUDGET: SweepBudget = { ms: 25 * SECOND_MS, calls: 400 };

interface SweepBudget {
  ms: number;
  calls: number;
}

export interface SweepResult {
  expiredFiles: number;
  abandonedUploads: number;
  incomingObjects: number;
  /** False when the budget ran out. */
  finished: boolean;
}

/**
 * Deletes leftovers of small uploads once an hour. Safe to interrupt, repeat and run concurrently.
 * @param clock returns epoch milliseconds
 */
export async function sweep(services: Services, clock: () => number, budget = DEFAULT_BUDGET): Promise<SweepResult> {
  const startedAt = clock();
  const deadline = startedAt + budget.ms;
  let callsLeft = budget.calls;
  const spend = (calls: number) => {
    if (clock() >= deadline || callsLeft < calls) return false;
    callsLeft -= calls;
    return true;
  };
  const expiredFiles = await runBatches(
    () => sweepExpired(services, clock()),
    () => spend(CALLS_PER_BATCH.expired),
  );
  const abandonedUploads = await runBatches(
    () => sweepAbandoned(services, clock()),
    () => spend(CALLS_PER_BATCH.abandoned),
  );
  const incomingObjects = isHourlyRun(startedAt)
    ? await sweepIncoming(services, clock, () => spend(CALLS_PER_BATCH.incoming))
    : { count: 0, isLast: true };
  return {
    expiredFiles: expiredFiles.count,
    abandonedUploads: abandonedUploads.count,
    incomingObjects: incomingObjects.count,
    finished: expiredFiles.isLast && abandonedUploads.isLast && incomingObjects.isLast,
  };
}

async function runBatches(runBatch: () => Promise<Batch>, spendBudget: () => boolean): Promise<Batch> {
  let count = 0;
  while (spendBudget()) {
    const batch = await runBatch();
    count += batch.count;
    if (batch.isLast) return { count, isLast: true };
  }
  return { count, isLast: false };
}

interface Batch {
  count: number;
  isLast: boolean;
}

async function sweepExpired({ db, bucket }: Services, now: number): Promise<Batch> {
  const files = await claimExpiredFiles(db, now, EXPIRED_BATCH);
  if (files.length === 0) return { count: 0, isLast: true };
  const keys = files.map((file) => file.s3Key);
  const deletions = Array.from({ length: Math.ceil(keys.length / DELETE_BATCH) }, (_, index) =>
    deleteObjects(bucket, keys.slice(index * DELETE_BATCH, (index + 1) * DELETE_BATCH)),
  );
  await Promise.all(deletions);
  await markExpiredDeleted(db, files, now);
  return { count: files.length, isLast: files.length < EXPIRED_BATCH };
}

async function sweepAbandoned(services: Services, now: number): Promise<Batch> {
  const ids = await listPossiblyAbandoned(services.db, now, ABANDONED_BATCH);
  const ended = await Promise.all(ids.map((id) => endIfAbandoned(services, id)));
  return { count: ended.filter(Boolean).length, isLast: ids.length < ABANDONED_BATCH };
}

async function endIfAbandoned(services: Services, id: string): Promise<boolean> {
  const aliveUntil = await sessionOf(services, id).endIfAbandoned(id);
  if (aliveUntil === null) return true;
  await postponeAbandonment(services.db, id, aliveUntil);
  return false;
}

/** Reads every page: the listing is not sorted by age. */
async function sweepIncoming({ bucket }: Services, clock: () => number, spendBudget: () => boolean): Promise<Batch> {
  let count = 0;
  let cursor: string | undefined;
  while (spendBudget()) {
    const page = await bucket.list({ prefix: INCOMING_PREFIX, limit: DELETE_BATCH, ...(cursor ? { cursor } : {}) });
    const old = page.objects.filter((object) => object.uploaded.getTime() <= clock() - INCOMING_RETENTION_MS);
    await deleteObjects(
      bucket,
      old.map((object) => object.key),
    );
    count += old.length;
    if (!page.truncated) return { count, isLast: true };
    cursor = page.cursor;
  }
  return { count, isLast: false };
}
