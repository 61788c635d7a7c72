// @module-tag long
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { servicesFor, type Services } from "#worker/services.ts";
import { openDatabase } from "#worker/db/client.ts";
import { approveOrphans, countUnapprovedOrphans, findUnapprovedOrphans } from "#worker/db/orphans.ts";
import { reconcile } from "#worker/sweep/reconciliation.ts";
import { interceptQueries, wrapMethods } from "../support/query-interceptor.ts";
import { queryPlansOf } from "../support/query-plan.ts";
import { addObjects, addRowsFor, emptyStorageAndTables, storedKeys } from "../support/storage-and-rows.ts";
import { runSql, rowOf } from "../support/worker.ts";

const services = servicesFor(env);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** When all objects are old enough to be orphans. */
const START = Date.now() + 2 * DAY;

beforeEach(async () => {
  await emptyStorageAndTables();
  vi.spyOn(console, "warn").mockReturnValue();
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Stores objects with rows, and objects without. */
async function addFilesAndOrphans(files: number, orphans: number): Promise<{ files: string[]; orphans: string[] }> {
  const keys = { files: await addObjects("a", files), orphans: await addObjects("b", orphans) };
  await addRowsFor(keys.files);
  return keys;
}

function reconcileAt(at: number, atServices: Services = services, windowSize?: number) {
  return reconcile(atServices, () => at, windowSize);
}

async function wasStopped(): Promise<boolean> {
  const last = await rowOf<{ at: number | null }>(
    "select stopped_at as at from reconciliations order by started_at desc",
  );
  return last.at !== null;
}

/** Adds known orphans without objects, whose keys sort after all others. */
async function addKnownOrphans(count: number, firstSeenAt: number): Promise<void> {
  await runSql(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
     insert into suspected_orphans (s3_key, size_bytes, first_seen_at) select 'files/z' || i, 1, ? from n`,
    count,
    firstSeenAt,
  );
}

describe("one orphan among a hundred objects", () => {
  it.each([
    ["is kept", "6 days and 23 hours", 6 * DAY + 23 * HOUR, 1],
    ["is kept", "a millisecond less than 7 days", 7 * DAY - 1, 1],
    ["is deleted", "7 days", 7 * DAY, 0],
    ["is deleted", "10 days without a run of the cron", 10 * DAY, 0],
  ])("%s when it is found again after %s", async (_what, _when, later, left) => {
    const { files } = await addFilesAndOrphans(99, 1);
    expect(await reconcileAt(START)).toMatchObject({ orphans: 1, deleted: 0 });
    expect(await reconcileAt(START + later)).toMatchObject({ orphans: 1, deleted: 1 - left, finished: true });
    expect(await storedKeys("files/b")).toHaveLength(left);
    expect(await storedKeys("files/a")).toEqual(files);
    expect(await rowOf("select count(*) as n from suspected_orphans")).toEqual({ n: left });
    expect(await wasStopped()).toBe(false);
  });

  it("starts its waiting time again after a row referenced it", async () => {
    const { orphans } = await addFilesAndOrphans(99, 1);
    await reconcileAt(START);
    await addRowsFor(orphans);
    await reconcileAt(START + 3 * DAY);
    expect(await rowOf("select count(*) as n from suspected_orphans")).toEqual({ n: 0 });
    await runSql("delete from files where s3_key = ?", orphans[0]);
    for (const day of [8, 9, 14]) expect(await reconcileAt(START + day * DAY)).toMatchObject({ deleted: 0 });
    expect(await reconcileAt(START + 15 * DAY)).toMatchObject({ deleted: 1 });
  });

  it("starts its waiting time again after its object was missing", async () => {
    const [orphan = ""] = (await addFilesAndOrphans(99, 1)).orphans;
    await reconcileAt(START);
    await env.BUCKET.delete(orphan);
    await reconcileAt(START + 3 * DAY);
    await env.BUCKET.put(orphan, "x");
    for (const day of [8, 14]) expect(await reconcileAt(START + day * DAY)).toMatchObject({ deleted: 0 });
    expect(await reconcileAt(START + 15 * DAY)).toMatchObject({ deleted: 1 });
  });
});

describe("the number of deleted orphans", () => {
  it.each([
    { orphans: 1, objects: 99, deleted: 0 },
    { orphans: 1, objects: 100, deleted: 1 },
    { orphans: 2, objects: 199, deleted: 0 },
    { orphans: 2, objects: 200, deleted: 2 },
  ])("is limited to 1 % of a window: $orphans of $objects", async ({ orphans, objects, deleted }) => {
    await addFilesAndOrphans(objects - orphans, orphans);
    await reconcileAt(START);
    expect(await reconcileAt(START + 8 * DAY)).toMatchObject({ orphans, deleted });
    expect(await storedKeys("files/b")).toHaveLength(orphans - deleted);
    expect(await wasStopped()).toBe(deleted === 0);
  });

  it.each([
    { others: 99, deleted: 1 },
    { others: 100, deleted: 0 },
  ])(
    "is limited to 100 due orphans in total: with $others others due, $deleted is deleted",
    async ({ others, deleted }) => {
      await addFilesAndOrphans(99, 1);
      await reconcileAt(START);
      await addKnownOrphans(others, START);
      expect(await reconcileAt(START + 8 * DAY)).toMatchObject({ orphans: 1, deleted });
      expect(await wasStopped()).toBe(deleted === 0);
    },
  );

  it("is not affected by orphans that are not due yet", async () => {
    await addFilesAndOrphans(99, 1);
    await reconcileAt(START);
    await addKnownOrphans(300, START + 2 * DAY);
    expect(await reconcileAt(START + 8 * DAY)).toMatchObject({ orphans: 1, deleted: 1 });
  });

  it("is zero in all windows after one with too many", async () => {
    // With 100 keys per window, the first has 50 orphans and the fourth has one.
    await addObjects("a", 50);
    const others = await addObjects("b", 450);
    await addRowsFor(others.filter((_, index) => index !== 300));
    await reconcileAt(START, services, 100);
    expect(await reconcileAt(START + 8 * DAY, services, 100)).toMatchObject({ orphans: 51, deleted: 0 });
    expect(await storedKeys()).toHaveLength(500);
  });
});

describe("a reconciliation with orphans", () => {
  it.each(["list", "delete"])("is completed by the next run when R2 fails at %s", async (failing) => {
    const { files } = await addFilesAndOrphans(198, 2);
    await reconcileAt(START);
    const bucket = wrapMethods(env.BUCKET, (name, call) => {
      return name === failing ? () => Promise.reject(new Error("R2 is down")) : call;
    });
    await expect(reconcileAt(START + 8 * DAY, { ...services, bucket })).rejects.toThrow("R2 is down");
    expect(await reconcileAt(START + 8 * DAY)).toMatchObject({ deleted: 2, finished: true });
    expect(await storedKeys()).toEqual(files);
    expect(await rowOf("select count(*) as n from suspected_orphans")).toEqual({ n: 0 });
  });

  it("is completed by the next run when it is killed between R2 and D1", async () => {
    const { files } = await addFilesAndOrphans(198, 2);
    await reconcileAt(START);
    const DB = interceptQueries(env.DB, (queries, proceed) => {
      if (queries.some(({ text }) => text.startsWith('update "reconciliations"'))) throw new Error("killed");
      return proceed();
    });
    await expect(reconcileAt(START + 8 * DAY, { ...services, db: openDatabase(DB) })).rejects.toThrow();
    expect(await storedKeys()).toEqual(files);
    expect(await reconcileAt(START + 8 * DAY)).toMatchObject({ orphans: 0, finished: true });
    expect(await rowOf("select count(*) as n from suspected_orphans")).toEqual({ n: 0 });
  });

  it("records and deletes each orphan once, also with concurrent runs", async () => {
    const { files } = await addFilesAndOrphans(198, 2);
    await Promise.all([0, 1, 2].map((ms) => reconcileAt(START + ms)));
    const sightings = "select count(*) as n, max(first_seen_at) - min(first_seen_at) as apart from suspected_orphans";
    expect(await rowOf(sightings)).toEqual({ n: 2, apart: 0 });
    await Promise.all([0, 1, 2].map((ms) => reconcileAt(START + 8 * DAY + ms)));
    expect(await storedKeys()).toEqual(files);
    expect(
      await rowOf(
        "select orphans, orphans_deleted_unapproved as deleted from reconciliations where id in (select id from reconciliations order by started_at desc limit 1)",
      ),
    ).toEqual({ orphans: 2, deleted: 2 });
  });

  it("makes at most 72 calls", async () => {
    const keys = await addObjects("a", 150);
    await addRowsFor(keys.filter((_, index) => index % 10 !== 0));
    await reconcileAt(START);
    await approveOrphans(services.db, START, {
      admin: { userId: null, username: "root" },
      action: "orphans.approve",
      target: "",
      details: "",
      at: START,
    });
    let calls = 0;
    const bucket = wrapMethods(env.BUCKET, (_, call) => (...args) => {
      calls += 1;
      return call(...args);
    });
    const DB = interceptQueries(env.DB, (_, proceed) => {
      calls += 1;
      return proceed();
    });
    const run = await reconcileAt(START + 8 * DAY, { ...services, bucket, db: openDatabase(DB) }, 10);
    expect(run).toMatchObject({ windows: 10, deleted: 10, finished: false });
    expect(calls).toBeGreaterThan(60);
    expect(calls).toBeLessThanOrEqual(72);
  });

  it("uses an index for every query on known orphans", async () => {
    const entry = {
      admin: { userId: null, username: "" },
      action: "orphans.approve",
      target: "",
      details: "",
      at: 1,
    } as const;
    for (const run of [
      (db: Services["db"]) => countUnapprovedOrphans(db, 1, 101),
      (db: Services["db"]) => approveOrphans(db, 1, entry),
      (db: Services["db"]) => findUnapprovedOrphans(db),
    ]) {
      const plan = (await queryPlansOf(run)).join("; ");
      expect(plan).toMatch(/suspected_orphans USING (COVERING )?INDEX suspected_orphans_unapproved/);
      expect(plan).not.toMatch(/TEMP B-TREE|SCAN (suspected_orphans|reconciliations)(?! USING)/);
    }
  });
});
