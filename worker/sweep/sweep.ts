import { INCOMING_KEPT_MS } from "#domain/upload-life.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { Services } from "../context.ts";
import { listPossiblyAbandoned, postponeAbandonment } from "../db/abandoned.ts";
import { listExpiredFiles, markExpiredDeleted } from "../db/files.ts";
import { releaseFile } from "../db/uploads.ts";
import { INCOMING_PREFIX } from "../storage/keys.ts";
import { deleteObjects } from "../storage/objects.ts";
import { sessionOf } from "../uploads/sessions.ts";

/** R2 deletes at most this many objects a call (R2 platform limit). */
const DELETE_BATCH = 1000;
/** Each unfinished upload costs a call to its Durable Object. */
const ABANDONED_BATCH = 50;
/** The cron comes every minute: a run that stops here leaves the rest to the next. */
export const SWEEP_BUDGET_MS = 25 * SECOND_MS;

export interface SweepResult {
  expiredFiles: number;
  abandonedUploads: number;
  incomingObjects: number;
  /** False when the time ran out: the next run goes on. */
  finished: boolean;
}

/**
 * Deletes what has outlived its time: expired files' objects, abandoned uploads, leftovers of small uploads.
 * Works in batches until done or out of time; it may be killed anywhere, run again, and run beside itself.
 * @param clock epoch milliseconds, read before each batch
 */
export async function sweep(services: Services, clock: () => number, budgetMs = SWEEP_BUDGET_MS): Promise<SweepResult> {
  const deadline = clock() + budgetMs;
  const expiredFiles = await inBatches(() => sweepExpired(services, clock()), clock, deadline);
  const abandonedUploads = await inBatches(() => sweepAbandoned(services, clock()), clock, deadline);
  const incomingObjects = await sweepIncoming(services, clock, deadline);
  return {
    expiredFiles: expiredFiles.count,
    abandonedUploads: abandonedUploads.count,
    incomingObjects: incomingObjects.count,
    finished: expiredFiles.done && abandonedUploads.done && incomingObjects.done,
  };
}

async function inBatches(step: () => Promise<Batch>, clock: () => number, deadline: number): Promise<Batch> {
  let count = 0;
  while (clock() < deadline) {
    const batch = await step();
    count += batch.count;
    if (batch.done) return { count, done: true };
  }
  return { count, done: false };
}

interface Batch {
  count: number;
  /** Whether there was less than a batch left. */
  done: boolean;
}

async function sweepExpired({ db, bucket }: Services, now: number): Promise<Batch> {
  const files = await listExpiredFiles(db, now, DELETE_BATCH);
  if (files.length === 0) return { count: 0, done: true };
  await deleteObjects(
    bucket,
    files.map((file) => file.s3Key),
  );
  await markExpiredDeleted(db, files, now);
  return { count: files.length, done: files.length < DELETE_BATCH };
}

async function sweepAbandoned(services: Services, now: number): Promise<Batch> {
  const ids = await listPossiblyAbandoned(services.db, now, ABANDONED_BATCH);
  const ended = await Promise.all(ids.map((id) => endIfAbandoned(services, id)));
  return { count: ended.filter(Boolean).length, done: ids.length < ABANDONED_BATCH };
}

async function endIfAbandoned(services: Services, id: string): Promise<boolean> {
  const livesUntil = await sessionOf(services, id).endIfAbandoned();
  if (livesUntil === null) return releaseFile(services.db, id, "failed", "ABANDONED").then(() => true);
  await postponeAbandonment(services.db, id, livesUntil);
  return false;
}

/** Young leftovers may sort before old ones: every page is looked at, as far as the time goes. */
async function sweepIncoming({ bucket }: Services, clock: () => number, deadline: number): Promise<Batch> {
  let count = 0;
  let cursor: string | undefined;
  while (clock() < deadline) {
    const page = await bucket.list({ prefix: INCOMING_PREFIX, limit: DELETE_BATCH, ...(cursor ? { cursor } : {}) });
    const old = page.objects.filter((object) => object.uploaded.getTime() <= clock() - INCOMING_KEPT_MS);
    await deleteObjects(
      bucket,
      old.map((object) => object.key),
    );
    count += old.length;
    if (!page.truncated) return { count, done: true };
    cursor = page.cursor;
  }
  return { count, done: false };
}
