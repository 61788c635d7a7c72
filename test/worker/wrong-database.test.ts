// @module-tag long
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Overview } from "#domain/wire.ts";
import { servicesFor } from "#worker/services.ts";
import { runHousekeeping } from "#worker/sweep/housekeeping.ts";
import { addObjects, addRowsFor, emptyStorageAndTables, storedKeys } from "../support/storage-and-rows.ts";
import {
  putIncoming,
  runSql,
  logInAdmin,
  sendFile,
  sendParts,
  signUp,
  patternBytes,
  stopClockAt,
} from "../support/worker.ts";

const services = servicesFor(env);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

beforeEach(async () => {
  await emptyStorageAndTables();
  for (const level of ["log", "warn", "error"] as const) vi.spyOn(console, level).mockReturnValue();
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Runs the cron's chores every twelve hours, two minutes in a row. */
async function runCronFor(days: number, from = Date.now()): Promise<number> {
  const to = from + days * DAY;
  for (let hour = from; hour <= to; hour += 12 * HOUR) {
    for (const at of [hour, hour + MINUTE]) {
      stopClockAt(at);
      await runHousekeeping(services, Date.now);
    }
  }
  return to;
}

async function alertAt(now: number): Promise<Overview["orphanAlert"]> {
  stopClockAt(now);
  const admin = await logInAdmin();
  return (await (await admin.fetch("/api/admin/overview")).json<Overview>()).orphanAlert;
}

describe("a wrong database", () => {
  it.each([1, 99, 100, 1100])(
    "that is empty deletes none of %i objects in two weeks, and raises an alert [HOLD-4]",
    async (n) => {
      await addObjects("a", n);
      const from = Date.now();
      const to = await runCronFor(14, from);
      expect((await env.BUCKET.list({ limit: 1000 })).objects).toHaveLength(Math.min(n, 1000));
      const { results } = await env.DB.prepare(
        "select s3_key from reconciliation_findings where kind = 'orphan'",
      ).all();
      expect(results).toEqual([]);
      const alert = await alertAt(to + HOUR);
      expect(alert).toMatchObject({ orphans: n, bytes: n });
      // An object counts as an orphan once it is a day old.
      expect(Date.parse(alert?.since ?? "")).toBeGreaterThanOrEqual(from + DAY - HOUR);
      expect(Date.parse(alert?.since ?? "")).toBeLessThanOrEqual(from + 2 * DAY + HOUR);
    },
  );

  it("that was restored to an earlier time deletes no object without a row", async () => {
    const known = await addObjects("a", 300);
    const later = await addObjects("b", 120);
    await addRowsFor(known);
    const to = await runCronFor(14);
    expect(await storedKeys()).toEqual([...known, ...later]);
    expect(await alertAt(to + HOUR)).toMatchObject({ orphans: 120 });
  });

  it("raises the alert on the second day, long before any object could be deleted", async () => {
    await addObjects("a", 3);
    const to = await runCronFor(2);
    expect(await alertAt(to + HOUR)).toMatchObject({ orphans: 3 });
  });

  it("raises no alert one day after the right database is back", async () => {
    const keys = await addObjects("a", 3);
    const to = await runCronFor(3);
    await addRowsFor(keys);
    const end = await runCronFor(1, to + HOUR);
    expect(await alertAt(end + HOUR)).toBeNull();
    expect(await storedKeys()).toEqual(keys);
  });

  it("keeps objects under incoming/ for a day, like the right one", async () => {
    const person = await signUp();
    const { uploadId } = await person.startUpload(5);
    await putIncoming(uploadId, "hello");
    await runSql("delete from files");
    const uploaded = (await env.BUCKET.head(`incoming/${uploadId}`))?.uploaded.getTime() ?? NaN;
    for (let at = Date.now(); at < uploaded + DAY; at += HOUR) await runHousekeeping(services, () => at);
    expect(await storedKeys()).toEqual([`incoming/${uploadId}`]);
  });

  it("keeps the object of an upload that completes with the wrong database", async () => {
    const person = await signUp();
    const whole = await person.startUpload(5);
    await putIncoming(whole.uploadId, "hello");
    const bytes = patternBytes(17 * 1024 * 1024);
    const parts = await person.startUpload(bytes.byteLength);
    const receipts = await sendParts(parts.uploadId, bytes);
    await runSql("delete from files");
    for (const [{ uploadId }, sent] of [
      [whole, []],
      [parts, receipts],
    ] as const) {
      const session = env.UPLOADS.get(env.UPLOADS.idFromName(uploadId));
      expect(await session.complete([...sent])).toMatchObject({ ok: false, code: "UPLOAD_CLOSED" });
    }
    expect(await storedKeys("files/")).toEqual([`files/${parts.uploadId}`, `files/${whole.uploadId}`].sort());
  });

  it("deletes no object of a deleted account unless a row references it", async () => {
    const person = await signUp();
    const { uploadId } = await sendFile(person, "hello");
    await runSql("delete from files");
    await runSql("update users set deleted_at = 1 where id = ?", person.id);
    await runHousekeeping(services, Date.now);
    expect(await storedKeys()).toEqual([`files/${uploadId}`]);
  });
});
