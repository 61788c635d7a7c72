import { INCOMING_KEPT_MS } from "#domain/upload-life.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { Services } from "../context.ts";
import {
  listExpiredFiles,
  listPossiblyAbandoned,
  markObjectsDeleted,
  postponeAbandonment,
  releaseFile,
} from "../db/files.ts";
import { INCOMING_PREFIX } from "../storage/keys.ts";
import { deleteObjects } from "../storage/objects.ts";
import { sessionOf } from "../uploads/uploads.ts";

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
  const result: SweepResult = { expiredFiles: 0, abandonedUploads: 0, incomingObjects: 0, finished: false };
  while (clock() < deadline) {
    const expired = await sweepExpired(services, clock());
    const abandoned = await sweepAbandoned(services, clock());
    const incoming = await sweepIncoming(services, clock());
    result.expiredFiles += expired.count;
    result.abandonedUploads += abandoned.count;
    result.incomingObjects += incoming.count;
    if (expired.done && abandoned.done && incoming.done) return { ...result, finished: true };
  }
  return result;
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
  await markObjectsDeleted(
    db,
    files.map((file) => file.id),
    now,
  );
  return { count: files.length, done: files.length < DELETE_BATCH };
}

async function sweepAbandoned(services: Services, now: number): Promise<Batch> {
  const ids = await listPossiblyAbandoned(services.db, now, ABANDONED_BATCH);
  const ended = await Promise.all(ids.map((id) => endIfAbandoned(services, id)));
  return { count: ended.filter(Boolean).length, done: ids.length < ABANDONED_BATCH };
}

async function endIfAbandoned(services: Services, id: string): Promise<boolean> {
  const livesUntil = await sessionOf(services, id).endIfAbandoned();
  if (livesUntil === null) return releaseFile(services.db, id, "failed").then(() => true);
  await postponeAbandonment(services.db, id, livesUntil);
  return false;
}

async function sweepIncoming({ bucket }: Services, now: number): Promise<Batch> {
  const listed = await bucket.list({ prefix: INCOMING_PREFIX, limit: DELETE_BATCH });
  const old = listed.objects.filter((object) => object.uploaded.getTime() <= now - INCOMING_KEPT_MS);
  await deleteObjects(
    bucket,
    old.map((object) => object.key),
  );
  // A listing without anything old ends the pass; production's lifecycle rule empties what lies behind it.
  return { count: old.length, done: old.length === 0 || !listed.truncated };
}
