import { INCOMING_RETENTION_MS, isHourlyRun } from "#domain/upload-lifetime.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { Services } from "../services.ts";
import { listPossiblyAbandoned, postponeAbandonment } from "../db/abandoned.ts";
import { claimExpiredFiles, markExpiredDeleted } from "../db/files.ts";
import { releaseFile } from "../db/uploads.ts";
import { INCOMING_PREFIX } from "../storage/keys.ts";
import { deleteObjects } from "../storage/objects.ts";
import { sessionOf } from "../uploads/sessions.ts";

/** R2 deletes at most this many objects a call (R2 platform limit). */
const DELETE_BATCH = 1000;
/** Deletions that go side by side: an invocation has six connections (Workers platform limit). */
const DELETIONS_AT_ONCE = 5;
const EXPIRED_BATCH = DELETIONS_AT_ONCE * DELETE_BATCH;
/** Each unfinished upload costs a call to its Durable Object. */
const ABANDONED_BATCH = 50;

/** What a step of each kind asks of the database, the store and Durable Objects at most. */
const CALLS = { expired: 2 + DELETIONS_AT_ONCE, abandoned: 1 + 2 * ABANDONED_BATCH, incoming: 2 };

/**
 * The cron comes every minute: a run that stops here leaves the rest to the next. An invocation makes 1,000 calls
 * (Workers platform limit), and the other chores want theirs.
 */
const ALLOWANCE: Allowance = { ms: 25 * SECOND_MS, calls: 400 };

export interface Allowance {
  ms: number;
  calls: number;
}

export interface SweepResult {
  expiredFiles: number;
  abandonedUploads: number;
  incomingObjects: number;
  /** False when the time ran out: the next run goes on. */
  finished: boolean;
}

/**
 * Deletes what has outlived its time: expired files' objects, abandoned uploads, and once an hour leftovers of small
 * uploads.
 * Works in batches until done or out of its allowance; it may be killed anywhere, run again, and run beside itself.
 * @param clock epoch milliseconds, read before each batch
 */
export async function sweep(services: Services, clock: () => number, allowance = ALLOWANCE): Promise<SweepResult> {
  const startedAt = clock();
  const deadline = startedAt + allowance.ms;
  let callsLeft = allowance.calls;
  const may = (calls: number) => {
    if (clock() >= deadline || callsLeft < calls) return false;
    callsLeft -= calls;
    return true;
  };
  const expiredFiles = await inBatches(
    () => sweepExpired(services, clock()),
    () => may(CALLS.expired),
  );
  const abandonedUploads = await inBatches(
    () => sweepAbandoned(services, clock()),
    () => may(CALLS.abandoned),
  );
  const incomingObjects = isHourlyRun(startedAt)
    ? await sweepIncoming(services, clock, () => may(CALLS.incoming))
    : { count: 0, done: true };
  return {
    expiredFiles: expiredFiles.count,
    abandonedUploads: abandonedUploads.count,
    incomingObjects: incomingObjects.count,
    finished: expiredFiles.done && abandonedUploads.done && incomingObjects.done,
  };
}

async function inBatches(step: () => Promise<Batch>, mayGoOn: () => boolean): Promise<Batch> {
  let count = 0;
  while (mayGoOn()) {
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
  const files = await claimExpiredFiles(db, now, EXPIRED_BATCH);
  if (files.length === 0) return { count: 0, done: true };
  const keys = files.map((file) => file.s3Key);
  const deletions = Array.from({ length: Math.ceil(keys.length / DELETE_BATCH) }, (_, index) =>
    deleteObjects(bucket, keys.slice(index * DELETE_BATCH, (index + 1) * DELETE_BATCH)),
  );
  await Promise.all(deletions);
  await markExpiredDeleted(db, files, now);
  return { count: files.length, done: files.length < EXPIRED_BATCH };
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

/** Young leftovers may sort before old ones: every page is looked at, as far as the allowance goes. */
async function sweepIncoming({ bucket }: Services, clock: () => number, mayGoOn: () => boolean): Promise<Batch> {
  let count = 0;
  let cursor: string | undefined;
  while (mayGoOn()) {
    const page = await bucket.list({ prefix: INCOMING_PREFIX, limit: DELETE_BATCH, ...(cursor ? { cursor } : {}) });
    const old = page.objects.filter((object) => object.uploaded.getTime() <= clock() - INCOMING_RETENTION_MS);
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
