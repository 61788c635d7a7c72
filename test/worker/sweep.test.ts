import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#domain/units.ts";
import {
  ABANDONED_AFTER_MS,
  CRON_INTERVAL_MS,
  EXPIRED_BYTES_DELETED_WITHIN_MS,
  INCOMING_RETENTION_MS,
} from "#domain/upload-lifetime.ts";
import { servicesFor, type Services } from "#worker/services.ts";
import { openDatabase } from "#worker/db/client.ts";
import worker from "#worker/index.ts";
import { sweep } from "#worker/sweep/sweep.ts";
import { interceptQueries, wrapMethods } from "../support/query-interceptor.ts";
import { withBeforeDelete } from "../support/before-delete.ts";
import {
  putIncoming,
  runSql,
  Client,
  contentPath,
  monthlyUsage,
  rowOf,
  sendFile,
  signUp,
  stopClockAt,
} from "../support/worker.ts";

const services = servicesFor(env);
const now = Date.now();
const clock = () => now;

beforeEach(async () => {
  await runSql("delete from files");
  const { objects } = await env.BUCKET.list();
  await env.BUCKET.delete(objects.map(({ key }) => key));
});

/** Adds files expired at `expiresAt`. Only those numbered in `stored` have an object. */
async function addFiles(count: number, expiresAt: number, stored: number[] = []): Promise<void> {
  await runSql(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
     insert into files (id, filename, original_filename, size, mime_type, s3_key, download_id, status, expiration,
       created_at, uploaded_at, expires_at, etag, reserved_period_start, abandon_at)
     select 'f' || i, 'f', 'f', 1, 'text/plain', 'files/f' || i, 'd' || i, 'ready', '1d', 0, 0, ?, 'e', 0, 0 from n`,
    count,
    expiresAt,
  );
  for (const i of stored) await env.BUCKET.put(`files/f${i}`, "x");
}

async function countOf(condition: string): Promise<number> {
  return (await rowOf<{ n: number }>(`select count(*) as n from files where ${condition}`)).n;
}

async function keys(): Promise<string[]> {
  return (await env.BUCKET.list()).objects.map(({ key }) => key);
}

/** Services that record how many rows each statement reads. */
function countingReads(): { services: Services; read: { query: string; rows: number }[] } {
  const read: { query: string; rows: number }[] = [];
  const database = interceptQueries(env.DB, async (queries, proceed) => {
    const [first] = queries;
    // Drizzle's reads return no metadata, so they run twice.
    const repeated = first && /^select/i.test(first.text) ? await first.statement.all() : null;
    const answer = (await proceed()) as D1Result | D1Result[];
    const results = repeated ? [repeated] : [answer].flat();
    read.push(...results.map(({ meta }, at) => ({ query: queries[at]?.text ?? "", rows: meta.rows_read })));
    return answer;
  });
  return { services: { ...services, db: openDatabase(database) }, read };
}

function sumOf(read: { rows: number }[]): number {
  return read.reduce((sum, { rows }) => sum + rows, 0);
}

describe("expired files", () => {
  it("lose their object and get a deletion time; other files keep theirs [ENT-6]", async () => {
    const person = await signUp();
    const [ended, living, forever] = await Promise.all(["a", "b", "c"].map((body) => sendFile(person, body)));
    await runSql("update files set expires_at = ? where id = ?", now, ended?.uploadId);
    await runSql("update files set expires_at = ? where id = ?", now + 1, living?.uploadId);
    await runSql("update files set expires_at = null where id = ?", forever?.uploadId);
    expect(await sweep(services, clock)).toMatchObject({ expiredFiles: 1, finished: true });
    expect(await rowOf("select is_expired, s3_deleted_at from files where id = ?", ended?.uploadId)).toEqual({
      is_expired: 1,
      s3_deleted_at: now,
    });
    expect((await keys()).sort()).toEqual([`files/${living?.uploadId}`, `files/${forever?.uploadId}`].sort());
    expect(await countOf("is_expired = 0 and s3_deleted_at is null")).toBe(2);
    expect((await new Client().fetch(contentPath(forever?.downloadId ?? ""))).status).toBe(200);
    expect(await sweep(services, clock)).toMatchObject({ expiredFiles: 0, finished: true });
  });

  it("lose their object within the time that the pages promise", async () => {
    // The last cron run that can keep the promise.
    await addFiles(1, now - EXPIRED_BYTES_DELETED_WITHIN_MS + CRON_INTERVAL_MS, [1]);
    await sweep(services, clock);
    expect(await keys()).toEqual([]);
  });

  it("cost six row reads each to claim, four to mark and count, and two to look for webhooks [HOLD-10]", async () => {
    await addFiles(3000, now);
    await runSql("update files set expires_at = ? where cast(substr(id, 2) as integer) % 3 = 0", now + 1);
    const { services: counting, read } = countingReads();
    expect(await sweep(counting, clock)).toMatchObject({ expiredFiles: 2000, finished: true });
    const claiming = read.filter(({ query }) => query.includes('set "is_expired"'));
    const marking = read.filter(({ query }) => query.includes('set "s3_deleted_at"'));
    const events = read.filter(({ query }) => query.includes('insert into "webhook_deliveries"'));
    const reads = [claiming, marking, events].map((queries) => Math.round((sumOf(queries) / 2000) * 10) / 10);
    expect(reads).toEqual([6, 4, 2]);
  });

  it("are deleted in batches [HOLD-9]", async () => {
    await addFiles(12_500, now, [1, 5000, 5001, 12_500]);
    const batches: number[] = [];
    const watchedServices = withBeforeDelete(services, async () => {
      batches.push(await countOf("s3_deleted_at is null"));
    });
    expect(await sweep(watchedServices, clock)).toMatchObject({ expiredFiles: 12_500, finished: true });
    expect([...new Set(batches)]).toEqual([12_500, 7500, 2500]);
    expect(await keys()).toEqual([]);
    expect(await countOf("s3_deleted_at is null")).toBe(0);
  });

  it("count as deleted only after R2 has confirmed it [DL-12]", async () => {
    await addFiles(3, now, [1, 2, 3]);
    const withBrokenBucket = withBeforeDelete(services, () => Promise.reject(new Error("R2 is down")));
    await expect(sweep(withBrokenBucket, clock)).rejects.toThrow("R2 is down");
    expect(await countOf("s3_deleted_at is not null")).toBe(0);
    expect(await keys()).toHaveLength(3);
    await sweep(services, clock);
    expect(await countOf("s3_deleted_at is not null and is_expired = 1")).toBe(3);
    expect(await keys()).toEqual([]);
  });

  it("are completed by the next run after one was killed between R2 and D1 [HOLD-9]", async () => {
    await addFiles(3, now, [1, 2, 3]);
    await env.BUCKET.delete(["files/f1", "files/f2"]);
    await sweep(services, clock);
    expect(await countOf("s3_deleted_at is not null")).toBe(3);
    expect(await keys()).toEqual([]);
  });

  it("are deleted exactly once by concurrent runs [HOLD-9]", async () => {
    await addFiles(1200, now, [1, 600, 1200]);
    let later = now;
    const runs = await Promise.all([1, 2, 3].map(() => sweep(services, () => (later += 1))));
    expect(runs.every(({ finished }) => finished)).toBe(true);
    expect(await countOf("s3_deleted_at is null")).toBe(0);
    expect(await keys()).toEqual([]);
    const before = await rowOf("select sum(s3_deleted_at) as total from files");
    await sweep(services, () => now + DAY_MS);
    expect(await rowOf("select sum(s3_deleted_at) as total from files")).toEqual(before);
  });

  it("are left to the next run when the time runs out", async () => {
    await addFiles(12_500, now - DAY_MS, [1, 12_500]);
    let seconds = 0;
    const slow = () => now + (seconds += 1) * SECOND_MS;
    const runs = [];
    do runs.push(await sweep(services, slow, { ms: 7 * SECOND_MS, calls: 1000 }));
    while (!runs.at(-1)?.finished && runs.length < 10);
    expect(runs[0]?.finished).toBe(false);
    expect(runs.at(-1)?.finished).toBe(true);
    expect(runs.reduce((sum, { expiredFiles }) => sum + expiredFiles, 0)).toBe(12_500);
    expect(await keys()).toEqual([]);
  });

  it("are left to the next run when the call budget is used up [HOLD-9]", async () => {
    await addFiles(12_500, now, [1, 12_500]);
    let calls = 0;
    const bucket = wrapMethods(env.BUCKET, (_, call) => (...args) => {
      calls += 1;
      return call(...args);
    });
    const database = interceptQueries(env.DB, (_, proceed) => {
      calls += 1;
      return proceed();
    });
    const counted = { ...services, bucket, db: openDatabase(database) };
    expect(await sweep(counted, clock, { ms: SECOND_MS, calls: 20 })).toMatchObject({
      expiredFiles: 10_000,
      finished: false,
    });
    expect(calls).toBeLessThanOrEqual(20);
    expect(calls).toBeGreaterThan(10);
    expect(await sweep(counted, clock)).toMatchObject({ expiredFiles: 2500, finished: true });
    expect(await keys()).toEqual([]);
  });
});

describe("abandoned uploads", () => {
  const hour25 = now + ABANDONED_AFTER_MS + HOUR_MS;

  it("release their quota and their storage", async () => {
    const person = await signUp();
    const { uploadId, downloadId } = await person.startUpload(5);
    await putIncoming(uploadId, "hello");
    stopClockAt(hour25 + HOUR_MS);
    expect(await sweep(services, Date.now)).toMatchObject({ abandonedUploads: 1, finished: true });
    expect(await countOf("status = 'failed'")).toBe(1);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 0, transfers: 0 });
    expect(await keys()).toEqual([]);
    vi.useRealTimers();
    expect((await new Client().fetch(`/api/files/download/${downloadId}`)).status).toBe(404);
    expect((await person.complete(downloadId)).status).toBe(409);
  });

  it("release their quota once, also with concurrent runs", async () => {
    const person = await signUp();
    await person.startUpload(5);
    const finished = await sendFile(person, "kept", { expiration: "3d" });
    stopClockAt(hour25 + HOUR_MS);
    await Promise.all([1, 2, 3].map(() => sweep(services, Date.now)));
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 4, transfers: 1 });
    expect(await keys()).toEqual([`files/${finished.uploadId}`]);
  });

  it("are ended even if their Durable Object has no state", async () => {
    const person = await signUp();
    const { uploadId } = await person.startUpload(5);
    await runSql("update files set id = 'forgotten', abandon_at = ? where id = ?", now, uploadId);
    await sweep(services, clock);
    expect(await countOf("id = 'forgotten' and status = 'failed'")).toBe(1);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 0, transfers: 0 });
  });

  it("do not include active uploads, which are checked again later", async () => {
    const person = await signUp();
    const { uploadId, downloadId } = await person.startUpload(5);
    await runSql("update files set abandon_at = ? where id = ?", now, uploadId);
    expect(await sweep(services, clock)).toMatchObject({ abandonedUploads: 0, finished: true });
    const { later } = await rowOf<{ later: number }>("select abandon_at as later from files where id = ?", uploadId);
    expect(later).toBeGreaterThanOrEqual(now + HOUR_MS);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 5, transfers: 1 });
    await putIncoming(uploadId, "hello");
    expect((await person.complete(downloadId)).status).toBe(200);
  });
});

describe("objects under incoming/", () => {
  it("are deleted after a day, in the first minute of the next [DEC-11]", async () => {
    await env.BUCKET.put("incoming/old", "x");
    await env.BUCKET.put("incoming/older", "x");
    await env.BUCKET.put("files/other", "x");
    const uploaded = (await env.BUCKET.head("incoming/old"))?.uploaded.getTime() ?? NaN;
    const midnight = Math.floor((uploaded + INCOMING_RETENTION_MS - 1) / DAY_MS) * DAY_MS;
    for (const tooSoon of [midnight, midnight + HOUR_MS, midnight + DAY_MS - 1, midnight + DAY_MS + MINUTE_MS]) {
      await sweep(services, () => tooSoon);
      expect(await keys()).toEqual(["files/other", "incoming/old", "incoming/older"]);
    }
    const due = midnight + DAY_MS + MINUTE_MS - 1;
    expect(await sweep(services, () => due)).toMatchObject({ incomingObjects: 2 });
    expect(await keys()).toEqual(["files/other"]);
  });
});

describe("the cron", () => {
  it("deletes an expired file's object [DL-11]", async () => {
    const { uploadId } = await sendFile(await signUp(), "hello");
    await runSql("update files set expires_at = ? where id = ?", Date.now() - 1, uploadId);
    await worker.scheduled(createScheduledController(), env);
    expect(await keys()).toEqual([]);
    expect(await countOf("s3_deleted_at is not null")).toBe(1);
  });
});
