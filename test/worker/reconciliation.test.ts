import { createScheduledController, listDurableObjectIds, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { DAY_MS, MINUTE_MS } from "#domain/units.ts";
import { ORPHAN_MIN_AGE_MS } from "#domain/upload-lifetime.ts";
import type { ReconciliationReport, ReconciliationWindow } from "#domain/wire.ts";
import { servicesFor } from "#worker/services.ts";
import worker from "#worker/index.ts";
import { inspectWindow, reconcile } from "#worker/sweep/reconciliation.ts";
import { applyRetention } from "#worker/sweep/retention.ts";
import { sweep } from "#worker/sweep/sweep.ts";
import { runRandomOperations } from "#test/support/random-operations.ts";
import { emptyStorageAndTables, storedKeys } from "#test/support/storage-and-rows.ts";
import {
  putIncoming,
  runSql,
  Client,
  logInAdmin,
  monthlyUsage,
  putOnPlan,
  rowOf,
  sendFile,
  signUp,
  stopClockAt,
} from "#test/support/worker.ts";

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- how generated Env types are extended
  namespace Cloudflare {
    interface Env {
      MIXED_OPERATIONS: string;
    }
  }
}

const services = servicesFor(env);
/** Small, so that a few files make several windows. */
const WINDOW_SIZE = 100;

beforeEach(emptyStorageAndTables);

/** When all objects are old enough to be orphans. */
function nextDay(): number {
  return Date.now() + ORPHAN_MIN_AGE_MS + MINUTE_MS;
}

/** Adds finished files f100001, f100002, … that never expire. Those that `stored` selects have an object of one byte. */
async function addFiles(count: number, stored: (i: number) => boolean): Promise<void> {
  await runSql(
    `with recursive n(i) as (select 100001 union all select i + 1 from n where i < 100000 + ?)
     insert into files (id, filename, original_filename, size, mime_type, s3_key, download_id, status, expiration,
       created_at, uploaded_at, etag, reserved_period_start, abandon_at)
     select 'f' || i, 'f', 'f', 1, 'text/plain', 'files/f' || i, 'd' || i, 'ready', 'never', 0, 0, 'e', 0, 0 from n`,
    count,
  );
  const names = Array.from({ length: count }, (_, index) => 100_001 + index).filter((_, index) => stored(index));
  await Promise.all(names.map((name) => env.BUCKET.put(`files/f${name}`, "x")));
}

/** Inspects all windows without changing anything. */
async function inspectAll(now: number, windowSize?: number): Promise<ReconciliationWindow[]> {
  const windows: ReconciliationWindow[] = [];
  for (let after: string | null = ""; after !== null;) {
    const window: ReconciliationWindow = await inspectWindow(services, after, now, windowSize);
    windows.push(window);
    after = window.next;
  }
  return windows;
}

describe("the reconciliation", () => {
  it("has no findings for unfinished, finished, expired, deleted and cancelled uploads", async () => {
    const person = await signUp();
    await putOnPlan(person.email, "ultimate");
    const unfinished = await person.startUpload(5);
    await putIncoming(unfinished.uploadId, "hello");
    const [, expired, deleted] = await Promise.all(
      ["a", "b", "c"].map((body) => sendFile(person, body, { expiration: "30d" })),
    );
    await runSql("update files set expires_at = 1 where id = ?", expired?.uploadId);
    await person.delete(`/api/files/${deleted?.uploadId}`);
    const cancelled = await person.startUpload(5);
    await person.post("/api/direct-upload/cancel", { downloadId: cancelled.downloadId });
    expect(await inspectAll(nextDay())).toEqual([{ objects: 2, rows: 5, findings: [], next: null }]);
  });

  it("records an object without a row once it is a day old, and deletes it a week later [HOLD-4]", async () => {
    await env.BUCKET.put("files/nobodys", "four");
    await addFiles(200, () => true);
    await runSql("update files set status = 'cancelled' where id = 'f100001'");
    const uploaded = (await env.BUCKET.head("files/f100002"))?.uploaded.getTime() ?? NaN;
    const run = (at: number) => reconcile(services, () => at);
    const found = { windows: 1, orphans: 0, deleted: 0, lost: 0, finished: true };
    expect(await run(uploaded + ORPHAN_MIN_AGE_MS - MINUTE_MS)).toEqual(found);
    expect(await run(uploaded + 2 * DAY_MS)).toEqual({ ...found, orphans: 2 });
    expect(await storedKeys()).toHaveLength(201);
    expect(await run(uploaded + 9 * DAY_MS)).toEqual({ ...found, orphans: 2, deleted: 2 });
    expect(await storedKeys()).toHaveLength(199);
    const report = await (await (await logInAdmin()).fetch("/api/admin/reconciliation")).json<ReconciliationReport>();
    expect(report.last).toMatchObject({ objects: 201, rows: 200, orphans: 2, lost: 0, stoppedAt: null });
    expect(report.findings.map(({ kind, s3Key, fileId, size }) => [kind, s3Key, fileId, size]).sort()).toEqual([
      ["orphan", "files/f100001", "f100001", 1],
      ["orphan", "files/nobodys", null, 4],
    ]);
  });

  it("lists files without their object, does not change their rows, and removes findings that are resolved [HOLD-5]", async () => {
    const person = await signUp();
    const [missing, truncated, intact] = await Promise.all(
      ["one", "two", "three"].map((body) => sendFile(person, body)),
    );
    await env.BUCKET.delete(`files/${missing?.uploadId}`);
    await env.BUCKET.put(`files/${truncated?.uploadId}`, "x");
    const now = Date.now();
    const before = await rowOf("select group_concat(id || status || coalesce(s3_deleted_at, '-')) as rows from files");
    expect(await reconcile(services, () => now)).toMatchObject({ lost: 2, orphans: 0 });
    expect(await rowOf("select group_concat(id || status || coalesce(s3_deleted_at, '-')) as rows from files")).toEqual(
      before,
    );
    const admin = await logInAdmin();
    const found = async () =>
      (await (await admin.fetch("/api/admin/reconciliation")).json<ReconciliationReport>()).findings;
    expect((await found()).map(({ fileId }) => fileId).sort()).toEqual([missing?.uploadId, truncated?.uploadId].sort());
    expect(await storedKeys()).toContain(`files/${intact?.uploadId}`);

    await env.BUCKET.put(`files/${missing?.uploadId}`, "one");
    await runSql("update files set expires_at = null");
    expect(await reconcile(services, () => now + DAY_MS)).toMatchObject({ lost: 1 });
    expect((await found()).map(({ fileId }) => fileId)).toEqual([truncated?.uploadId]);
  });

  it("compares every object and row across windows, and continues after a killed run [HOLD-6]", async () => {
    await addFiles(230, (index) => index % 2 === 0);
    await Promise.all(Array.from({ length: 3 }, (_, i) => env.BUCKET.put(`files/f${100_000 + i * 70}z`, "x")));
    const windows = await inspectAll(nextDay(), WINDOW_SIZE);
    const sum = (of: (window: ReconciliationWindow) => number) =>
      windows.reduce((total, window) => total + of(window), 0);
    expect(windows.length).toBeGreaterThan(2);
    expect([sum(({ rows }) => rows), sum(({ objects }) => objects)]).toEqual([230, 118]);
    const found = windows.flatMap(({ findings }) => findings.map(({ kind }) => kind));
    expect([found.filter((kind) => kind === "lost").length, found.filter((kind) => kind === "orphan").length]).toEqual([
      115, 3,
    ]);

    // The first run runs out of time after one window; three concurrent runs finish the reconciliation.
    const now = nextDay();
    let reads = 0;
    const expiringClock = () => now + (reads++ < 4 ? 0 : MINUTE_MS);
    expect(await reconcile(services, expiringClock, WINDOW_SIZE)).toMatchObject({ windows: 1, finished: false });
    await Promise.all([1, 2, 3].map(() => reconcile(services, () => now, WINDOW_SIZE)));
    const { last } = await (await (await logInAdmin()).fetch("/api/admin/reconciliation")).json<ReconciliationReport>();
    expect(last).toMatchObject({ rows: 230, objects: 118, lost: 115, orphans: 3 });
    expect(last?.finishedAt).not.toBeNull();
    expect(await rowOf("select count(*) as n from reconciliations")).toEqual({ n: 1 });
  });

  it("is started once a day by the cron, and deleted after 90 days [HOLD-6]", async () => {
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

  it("can be inspected by administrators, one window per call, without changing anything [HOLD-7]", async () => {
    await env.BUCKET.put("files/nobodys", "four");
    expect((await (await signUp()).fetch("/api/admin/reconciliation/window")).status).toBe(403);
    expect((await new Client().fetch("/api/admin/reconciliation")).status).toBe(403);
    stopClockAt(nextDay());
    const admin = await logInAdmin();
    const inspect = async (query: string) =>
      (await admin.fetch(`/api/admin/reconciliation/window${query}`)).json<ReconciliationWindow>();
    expect(await inspect("")).toMatchObject({
      objects: 1,
      findings: [{ kind: "orphan", s3Key: "files/nobodys" }],
      next: null,
    });
    expect(await inspect("?after=files/o")).toMatchObject({ objects: 0, findings: [] });
    expect(await storedKeys()).toEqual(["files/nobodys"]);
  });
});

describe("after random operations with D1 and R2 failures", () => {
  it("every object has a row, every file its object, and the monthly usage matches the rows [HOLD-3]", async () => {
    const person = await signUp();
    await putOnPlan(person.email, "ultimate");
    const operations = Number(env.MIXED_OPERATIONS);
    const consoleSpies = (["log", "warn", "error"] as const).map((level) => vi.spyOn(console, level).mockReturnValue());
    const totals = await runRandomOperations(person, 1, operations, operations / 10);
    expect(totals.operations).toBe(operations);
    expect(totals.faults).toBeGreaterThanOrEqual(operations / 10);
    // Runs the uploads' alarms, and the sweep once all unfinished uploads count as abandoned.
    for (const id of await listDurableObjectIds(env.UPLOADS)) await runDurableObjectAlarm(env.UPLOADS.get(id));
    const later = Date.now() + 2 * DAY_MS;
    stopClockAt(later);
    await sweep(services, () => later);
    for (const spy of consoleSpies) spy.mockRestore();
    expect((await inspectAll(later)).flatMap(({ findings }) => findings)).toEqual([]);
    expect((await env.BUCKET.list({ prefix: "incoming/" })).objects).toEqual([]);
    const living = "from files where status = 'ready' and s3_deleted_at is null";
    const { n } = await rowOf<{ n: number }>(`select count(*) as n ${living}`);
    expect(n).toBeGreaterThan(operations / 50);
    expect(await rowOf("select count(*) as n from files where status = 'uploading'")).toEqual({ n: 0 });
    expect(await monthlyUsage(person.email)).toEqual(
      await rowOf("select sum(size) as bytes, count(*) as transfers from files where status = 'ready'"),
    );
  }, 600_000);
});
