import { createScheduledController, listDurableObjectIds, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DAY_MS, MINUTE_MS } from "#domain/units.ts";
import { ORPHAN_MIN_AGE_MS } from "#domain/upload-lifetime.ts";
import type { ReconciliationReport, ReconciliationWindow } from "#domain/wire.ts";
import { servicesFor } from "#worker/services.ts";
import worker from "#worker/index.ts";
import { inspectWindow, reconcile } from "#worker/sweep/reconciliation.ts";
import { applyRetention } from "#worker/sweep/retention.ts";
import { sweep } from "#worker/sweep/sweep.ts";
import { mixOperations } from "#test/support/mixed-operations.ts";
import { emptyStorageAndTables, storedKeys } from "#test/support/storage-and-rows.ts";
import {
  arrive,
  change,
  Client,
  logInAdmin,
  monthOf,
  putOnPlan,
  rowOf,
  sendFile,
  signUp,
  stopClockAt,
} from "#test/support/worker.ts";

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- how generated Env types are extended
  namespace Cloudflare {
    interface Env {
      /** How many operations are mixed. */
      MIXED_OPERATIONS: string;
    }
  }
}

const services = servicesFor(env);
/** Keys of a window, so that a few files make several. */
const WIDTH = 100;

beforeEach(emptyStorageAndTables);

afterEach(() => {
  vi.useRealTimers();
});

/** A moment when everything that is stored now is old. */
function aDayOn(): number {
  return Date.now() + ORPHAN_MIN_AGE_MS + MINUTE_MS;
}

/** So many finished files "f100001" and on that never end; those that `stored` takes have an object of a byte. */
async function addFiles(count: number, stored: (i: number) => boolean): Promise<void> {
  await change(
    `with recursive n(i) as (select 100001 union all select i + 1 from n where i < 100000 + ?)
     insert into files (id, filename, original_filename, size, mime_type, s3_key, download_id, status, expiration,
       created_at, uploaded_at, etag, reserved_period_start, abandon_at)
     select 'f' || i, 'f', 'f', 1, 'text/plain', 'files/f' || i, 'd' || i, 'ready', 'never', 0, 0, 'e', 0, 0 from n`,
    count,
  );
  const names = Array.from({ length: count }, (_, index) => 100_001 + index).filter((_, index) => stored(index));
  await Promise.all(names.map((name) => env.BUCKET.put(`files/f${name}`, "x")));
}

/** The whole reconciliation, without changing anything. */
async function lookThrough(now: number, width?: number): Promise<ReconciliationWindow[]> {
  const windows: ReconciliationWindow[] = [];
  for (let after: string | null = ""; after !== null;) {
    const window: ReconciliationWindow = await inspectWindow(services, after, now, width);
    windows.push(window);
    after = window.next;
  }
  return windows;
}

describe("the reconciliation", () => {
  it("finds nothing amiss among files on their way, whole, expired, deleted and cancelled", async () => {
    const person = await signUp();
    await putOnPlan(person.email, "ultimate");
    const unfinished = await person.startUpload(5);
    await arrive(unfinished.uploadId, "hello");
    const [, expired, deleted] = await Promise.all(
      ["a", "b", "c"].map((body) => sendFile(person, body, { expiration: "30d" })),
    );
    await change("update files set expires_at = 1 where id = ?", expired?.uploadId);
    await person.delete(`/api/files/${deleted?.uploadId}`);
    const cancelled = await person.startUpload(5);
    await person.post("/api/direct-upload/cancel", { downloadId: cancelled.downloadId });
    expect(await lookThrough(aDayOn())).toEqual([{ objects: 2, rows: 5, findings: [], next: null }]);
  });

  it("notes an object that no row wants, once it is a day old and not before, and deletes it a week later", async () => {
    await env.BUCKET.put("files/nobodys", "four");
    await addFiles(200, () => true);
    await change("update files set status = 'cancelled' where id = 'f100001'");
    const uploaded = (await env.BUCKET.head("files/f100002"))?.uploaded.getTime() ?? NaN;
    const take = (at: number) => reconcile(services, () => at);
    const found = { windows: 1, orphans: 0, deleted: 0, lost: 0, finished: true };
    expect(await take(uploaded + ORPHAN_MIN_AGE_MS - MINUTE_MS)).toEqual(found);
    expect(await take(uploaded + 2 * DAY_MS)).toEqual({ ...found, orphans: 2 });
    expect(await storedKeys()).toHaveLength(201);
    expect(await take(uploaded + 9 * DAY_MS)).toEqual({ ...found, orphans: 2, deleted: 2 });
    expect(await storedKeys()).toHaveLength(199);
    const report = await (await (await logInAdmin()).fetch("/api/admin/reconciliation")).json<ReconciliationReport>();
    expect(report.last).toMatchObject({ objects: 201, rows: 200, orphans: 2, lost: 0, stoppedAt: null });
    expect(report.findings.map(({ kind, s3Key, fileId, size }) => [kind, s3Key, fileId, size]).sort()).toEqual([
      ["orphan", "files/f100001", "f100001", 1],
      ["orphan", "files/nobodys", null, 4],
    ]);
  });

  it("says which files have lost their objects, touches no row of them, and forgets what is whole again", async () => {
    const person = await signUp();
    const [gone, cut, whole] = await Promise.all(["one", "two", "three"].map((body) => sendFile(person, body)));
    await env.BUCKET.delete(`files/${gone?.uploadId}`);
    await env.BUCKET.put(`files/${cut?.uploadId}`, "x");
    const now = Date.now();
    const before = await rowOf("select group_concat(id || status || coalesce(s3_deleted_at, '-')) as rows from files");
    expect(await reconcile(services, () => now)).toMatchObject({ lost: 2, orphans: 0 });
    expect(await rowOf("select group_concat(id || status || coalesce(s3_deleted_at, '-')) as rows from files")).toEqual(
      before,
    );
    const admin = await logInAdmin();
    const found = async () =>
      (await (await admin.fetch("/api/admin/reconciliation")).json<ReconciliationReport>()).findings;
    expect((await found()).map(({ fileId }) => fileId).sort()).toEqual([gone?.uploadId, cut?.uploadId].sort());
    expect(await storedKeys()).toContain(`files/${whole?.uploadId}`);

    await env.BUCKET.put(`files/${gone?.uploadId}`, "one");
    await change("update files set expires_at = null");
    expect(await reconcile(services, () => now + DAY_MS)).toMatchObject({ lost: 1 });
    expect((await found()).map(({ fileId }) => fileId)).toEqual([cut?.uploadId]);
  });

  it("goes by windows in which neither side is skipped, and a run that was killed is gone on with", async () => {
    await addFiles(230, (index) => index % 2 === 0);
    await Promise.all(Array.from({ length: 3 }, (_, i) => env.BUCKET.put(`files/f${100_000 + i * 70}z`, "x")));
    const windows = await lookThrough(aDayOn(), WIDTH);
    const sum = (of: (window: ReconciliationWindow) => number) =>
      windows.reduce((total, window) => total + of(window), 0);
    expect(windows.length).toBeGreaterThan(2);
    expect([sum(({ rows }) => rows), sum(({ objects }) => objects)]).toEqual([230, 118]);
    const found = windows.flatMap(({ findings }) => findings.map(({ kind }) => kind));
    expect([found.filter((kind) => kind === "lost").length, found.filter((kind) => kind === "orphan").length]).toEqual([
      115, 3,
    ]);

    // Its time is up after the first window; three that overlap take it to its end.
    const now = aDayOn();
    let reads = 0;
    const dying = () => now + (reads++ < 4 ? 0 : MINUTE_MS);
    expect(await reconcile(services, dying, WIDTH)).toMatchObject({ windows: 1, finished: false });
    await Promise.all([1, 2, 3].map(() => reconcile(services, () => now, WIDTH)));
    const { last } = await (await (await logInAdmin()).fetch("/api/admin/reconciliation")).json<ReconciliationReport>();
    expect(last).toMatchObject({ rows: 230, objects: 118, lost: 115, orphans: 3 });
    expect(last?.finishedAt).not.toBeNull();
    expect(await rowOf("select count(*) as n from reconciliations")).toEqual({ n: 1 });
  });

  it("begins once a day, by the cron, and is forgotten after 90 days", async () => {
    const now = Date.now();
    for (const at of [now, now + MINUTE_MS, now + DAY_MS + MINUTE_MS]) {
      stopClockAt(at);
      await worker.scheduled(createScheduledController({ scheduledTime: new Date(at) }), env);
    }
    vi.useRealTimers();
    expect(await rowOf("select count(*) as n, count(finished_at) as done from reconciliations")).toEqual({
      n: 2,
      done: 2,
    });
    await applyRetention(services, now + 90 * DAY_MS);
    expect(await rowOf("select count(*) as n from reconciliations")).toEqual({ n: 1 });
  });

  it("is an administrator's to look at, a window a call, which changes nothing", async () => {
    await env.BUCKET.put("files/nobodys", "four");
    expect((await (await signUp()).fetch("/api/admin/reconciliation/window")).status).toBe(403);
    expect((await new Client().fetch("/api/admin/reconciliation")).status).toBe(403);
    stopClockAt(aDayOn());
    const admin = await logInAdmin();
    const look = async (query: string) =>
      (await admin.fetch(`/api/admin/reconciliation/window${query}`)).json<ReconciliationWindow>();
    expect(await look("")).toMatchObject({
      objects: 1,
      findings: [{ kind: "orphan", s3Key: "files/nobodys" }],
      next: null,
    });
    expect(await look("?after=files/o")).toMatchObject({ objects: 0, findings: [] });
    expect(await storedKeys()).toEqual(["files/nobodys"]);
  });
});

describe("whatever happens to the lines to D1 and R2", () => {
  it("no object is left without a row, no file without its object, and the month is what the rows add up to", async () => {
    const person = await signUp();
    await putOnPlan(person.email, "ultimate");
    const operations = Number(env.MIXED_OPERATIONS);
    const silenced = (["log", "warn", "error"] as const).map((level) => vi.spyOn(console, level).mockReturnValue());
    const mixed = await mixOperations(person, 1, operations, operations / 10);
    expect(mixed.operations).toBe(operations);
    expect(mixed.faults).toBeGreaterThanOrEqual(operations / 10);
    // The uploads' alarms, and what the cron does once everything unfinished has been abandoned.
    for (const id of await listDurableObjectIds(env.UPLOADS)) await runDurableObjectAlarm(env.UPLOADS.get(id));
    const later = Date.now() + 2 * DAY_MS;
    stopClockAt(later);
    await sweep(services, () => later);
    for (const spy of silenced) spy.mockRestore();
    expect((await lookThrough(later)).flatMap(({ findings }) => findings)).toEqual([]);
    expect((await env.BUCKET.list({ prefix: "incoming/" })).objects).toEqual([]);
    const living = "from files where status = 'ready' and s3_deleted_at is null";
    const { n } = await rowOf<{ n: number }>(`select count(*) as n ${living}`);
    expect(n).toBeGreaterThan(operations / 50);
    expect(await rowOf("select count(*) as n from files where status = 'uploading'")).toEqual({ n: 0 });
    expect(await monthOf(person.email)).toEqual(
      await rowOf("select sum(size) as bytes, count(*) as transfers from files where status = 'ready'"),
    );
  }, 600_000);
});
