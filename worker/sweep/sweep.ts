import { SECOND_MS } from "#domain/units.ts";
import { INCOMING_RETENTION_MS, isDailyRun } from "#domain/upload-lifetime.ts";
import { anySessionOf } from "../callers/sessions.ts";
import { claimExpiredFiles, keepsSession, markExpiredDeleted } from "../db/files.ts";
import { listPossiblyAbandoned, postponeAbandonment, type PossiblyAbandoned } from "../db/uploads.ts";
import { countObjects, deleteStored, groupByObjects } from "../files/deletion.ts";
import type { Services } from "../services.ts";
import { INCOMING_PREFIX } from "../storage/keys.ts";
import { deleteObjects, MAX_DELETED_AT_ONCE, MAX_DELETED_PER_CALL } from "../storage/objects.ts";

/** The most objects that a list call of R2 returns (platform limit). */
const LIST_LIMIT = 1000;
const EXPIRED_BATCH = MAX_DELETED_AT_ONCE;
const ABANDONED_BATCH = 50;

/** The most calls to D1, R2 and Durable Objects that a batch of each kind makes. */
const CALLS_PER_BATCH = {
  expired: 2 + MAX_DELETED_AT_ONCE / MAX_DELETED_PER_CALL,
  abandoned: 1 + 2 * ABANDONED_BATCH,
  incoming: 2,
};

/**
 * If a run stops at its budget, the next run continues. All chores of a run stay far below the call limit in
 * wrangler.toml.
 */
const DEFAULT_BUDGET: SweepBudget = { ms: 25 * SECOND_MS, calls: 400 };

interface SweepBudget {
  ms: number;
  calls: number;
}

export interface SweepResult {
  expiredFiles: number;
  abandonedUploads: number;
  incomingObjects: number;
  /** Whether all work is done. False when the budget ran out. */
  finished: boolean;
}

/**
 * Deletes objects of expired files, ends abandoned uploads and, once a day, deletes old objects under `incoming/`. The
 * sweep may be interrupted, repeated and run concurrently.
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
    () => sweepExpired(services, clock(), spend),
    () => spend(CALLS_PER_BATCH.expired),
  );
  const abandonedUploads = await runBatches(
    () => sweepAbandoned(services, clock()),
    () => spend(CALLS_PER_BATCH.abandoned),
  );
  const incomingObjects = isDailyRun(startedAt)
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

/**
 * @param spend takes from the budget the calls that a batch makes beyond its usual number, because a transfer has many
 * objects and a session
 */
async function sweepExpired(services: Services, now: number, spend: (calls: number) => boolean): Promise<Batch> {
  const files = await claimExpiredFiles(services.db, now, EXPIRED_BATCH);
  let count = 0;
  for (const [at, group] of groupByObjects(files).entries()) {
    const objects = group.reduce((sum, file) => sum + countObjects(file), 0);
    const calls = 1 + Math.ceil(objects / MAX_DELETED_PER_CALL) + group.filter(keepsSession).length;
    const paid = at === 0 ? CALLS_PER_BATCH.expired - 1 : 0;
    if (calls > paid && !spend(calls - paid)) return { count, isLast: false };
    await deleteStored(services, group);
    await markExpiredDeleted(services.db, group, now);
    count += group.length;
  }
  return { count, isLast: files.length < EXPIRED_BATCH };
}

async function sweepAbandoned(services: Services, now: number): Promise<Batch> {
  const uploads = await listPossiblyAbandoned(services.db, now, ABANDONED_BATCH);
  const ended = await Promise.all(uploads.map((upload) => endIfAbandoned(services, upload)));
  return { count: ended.filter(Boolean).length, isLast: uploads.length < ABANDONED_BATCH };
}

async function endIfAbandoned(services: Services, upload: PossiblyAbandoned): Promise<boolean> {
  const aliveUntil = await anySessionOf(services, upload).endIfAbandoned(upload.id);
  if (aliveUntil === null) return true;
  await postponeAbandonment(services.db, upload.id, aliveUntil);
  return false;
}

/** Reads every page of the listing, because R2 does not sort objects by age. */
async function sweepIncoming({ bucket }: Services, clock: () => number, spendBudget: () => boolean): Promise<Batch> {
  let count = 0;
  let cursor: string | undefined;
  while (spendBudget()) {
    const page = await bucket.list({ prefix: INCOMING_PREFIX, limit: LIST_LIMIT, ...(cursor ? { cursor } : {}) });
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
