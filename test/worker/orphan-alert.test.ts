import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from "vitest";
import type { AdminLogEntry, OrphanAlert, Overview } from "#domain/wire.ts";
import { servicesFor } from "#worker/services.ts";
import { reconcile } from "#worker/sweep/reconciliation.ts";
import { addObjects, addRowsFor, emptyStorageAndTables, storedKeys } from "../support/storage-and-rows.ts";
import { answerOf, logInAdmin, rowOf, stopClockAt, type Client } from "../support/worker.ts";

const services = servicesFor(env);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** When all objects are old enough to be orphans. */
const START = Date.now() + 2 * DAY;

let warn: MockInstance<typeof console.warn>;

beforeEach(async () => {
  await emptyStorageAndTables();
  warn = vi.spyOn(console, "warn").mockReturnValue();
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function reconcileAt(at: number) {
  stopClockAt(at);
  return reconcile(services, Date.now);
}

async function alertIn(admin: Client): Promise<OrphanAlert | null> {
  return (await (await admin.fetch("/api/admin/overview")).json<Overview>()).orphanAlert;
}

/** Approves what the overview shows at that time. */
async function approveAt(at: number): Promise<number> {
  stopClockAt(at);
  const admin = await logInAdmin();
  const { asOf } = (await alertIn(admin)) ?? expect.unreachable("no alert");
  const [status, answer] = await answerOf(admin.post("/api/admin/orphans/approve", { asOf }));
  expect(status).toBe(200);
  return Number(answer.approved);
}

describe("the orphan alert", () => {
  it("shows number, size and age of the orphans, and is hidden without any", async () => {
    stopClockAt(START);
    expect(await alertIn(await logInAdmin())).toBeNull();
    await addObjects("a", 3);
    await reconcileAt(START);
    await addObjects("b", 2);
    await reconcileAt(START + 3 * DAY);
    stopClockAt(START + 3 * DAY + HOUR);
    expect(await alertIn(await logInAdmin())).toEqual({
      orphans: 5,
      bytes: 5,
      since: new Date(START).toISOString(),
      asOf: new Date(START + 3 * DAY + HOUR).toISOString(),
    });
    const warnings = warn.mock.calls.map(([line]) => JSON.parse(String(line)) as object);
    expect(warnings).toContainEqual(
      expect.objectContaining({ event: "reconciliation.stopped", objects: 3, orphans: 3 }),
    );
  });

  it("stays while the next reconciliation is running", async () => {
    await addObjects("a", 3);
    await reconcileAt(START);
    stopClockAt(START + DAY);
    await env.DB.prepare("insert into reconciliations (id, started_at) values ('next', ?)")
      .bind(START + DAY)
      .run();
    expect(await alertIn(await logInAdmin())).toMatchObject({ orphans: 3 });
  });

  it("disappears after a reconciliation finds rows for all of them", async () => {
    const keys = await addObjects("a", 3);
    await reconcileAt(START);
    await addRowsFor(keys);
    await reconcileAt(START + DAY);
    expect(await alertIn(await logInAdmin())).toBeNull();
  });
});

describe("an administrator's approval", () => {
  it("deletes exactly the orphans in the alert, and is in the audit log", async () => {
    await addRowsFor(await addObjects("f", 2));
    await addObjects("a", 3);
    await reconcileAt(START);
    expect(await approveAt(START + HOUR)).toBe(3);
    expect(await alertIn(await logInAdmin())).toBeNull();
    const later = await addObjects("b", 4);
    for (const day of [1, 2, 6]) expect(await reconcileAt(START + day * DAY)).toMatchObject({ deleted: 0 });
    expect(await reconcileAt(START + 7 * DAY)).toMatchObject({ orphans: 7, deleted: 3 });
    expect(await storedKeys()).toEqual([...later, "files/f0001", "files/f0002"]);
    const admin = await logInAdmin();
    expect(await alertIn(admin)).toMatchObject({ orphans: 4 });
    const log = await (
      await admin.fetch("/api/admin/admin-log?action=orphans.approve")
    ).json<{ items: AdminLogEntry[] }>();
    expect(log.items.map(({ adminName, details, at }) => [adminName, details, at])).toEqual([
      [
        env.ADMIN_USERNAME,
        `first seen until ${new Date(START + HOUR).toISOString()}`,
        new Date(START + HOUR).toISOString(),
      ],
    ]);
  });

  it("deletes any number of orphans in one run", { tags: "long" }, async () => {
    await addObjects("a", 400);
    await reconcileAt(START);
    expect(await approveAt(START + HOUR)).toBe(400);
    expect(await reconcileAt(START + 8 * DAY)).toMatchObject({ orphans: 400, deleted: 400 });
    expect(await storedKeys()).toEqual([]);
  });

  it("does not apply to an object that a row referenced in between", async () => {
    const keys = await addObjects("a", 3);
    await reconcileAt(START);
    await approveAt(START + HOUR);
    await addRowsFor(keys);
    await reconcileAt(START + DAY);
    await env.DB.prepare("delete from files").run();
    for (const day of [2, 8, 9, 10]) await reconcileAt(START + day * DAY);
    expect(await storedKeys()).toEqual(keys);
  });

  it("covers only orphans first seen before its time, which is at most now", async () => {
    await addObjects("a", 3);
    await reconcileAt(START);
    const admin = await logInAdmin();
    const approve = (at: number) => admin.post("/api/admin/orphans/approve", { asOf: new Date(at).toISOString() });
    expect(await answerOf(approve(START - 1))).toEqual([200, { approved: 0 }]);
    stopClockAt(START - 1);
    expect(await answerOf(approve(START + DAY))).toEqual([200, { approved: 0 }]);
    expect(await rowOf("select count(*) as n from suspected_orphans where approved_at is null")).toEqual({ n: 3 });
    expect(
      await rowOf("select count(*) as n from admin_audit_logs where action = 'orphans.approve' and at < ?", START),
    ).toEqual({ n: 0 });
  });

  it.each([
    {},
    { asOf: "" },
    { asOf: "yesterday" },
    { asOf: "2026-02-30T12:00:00Z" },
    { asOf: 5 },
    { asOf: null },
    null,
  ])("is rejected without a valid time: %j", async (body) => {
    const [status, answer] = await answerOf((await logInAdmin()).post("/api/admin/orphans/approve", body));
    expect([status, answer.code]).toEqual([400, "BAD_REQUEST"]);
  });
});
