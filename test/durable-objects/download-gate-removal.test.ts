import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { HOUR_MS } from "#domain/units.ts";
import { OVERLOADED } from "../support/faults.ts";
import {
  SIZE_BYTES,
  QUARTER,
  START,
  limitedFile,
  gateWithFaults,
  take,
  open,
  download,
  waitForUsed,
  tablesOf,
} from "../support/limited-files.ts";
import { rowOf, runSql, stopClockAt } from "../support/worker.ts";

beforeEach(() => {
  stopClockAt(START);
});
describe("a limit that its owner removes", () => {
  it("takes the gate with it; a new one goes on from the row's count", async () => {
    const file = await limitedFile(3);
    await download(file, "ada");
    await waitForUsed(file, 1);
    expect(await file.gate.setLimit(null)).toBe(true);
    await file.gate.forget();
    expect(await tablesOf(file)).toBeNull();
    expect(await runDurableObjectAlarm(file.gate)).toBe(false);
    const row = { fileId: file.id, sizeBytes: SIZE_BYTES, limit: 2, used: 1, expiresAt: null };
    expect(await file.gate.take("ben", row)).toMatchObject({ ok: true, left: 1 });
  });

  it("first tells D1 what was counted, and stays when D1 does not answer", async () => {
    const file = await limitedFile(1);
    let isDown = true;
    const gate = gateWithFaults(file, () => (isDown ? OVERLOADED : null));
    await download(file, "ada", gate);
    await expect(gate.setLimit(null)).rejects.toThrow("D1 does not have what this link has counted");
    isDown = false;
    expect(await gate.setLimit(null)).toBe(true);
    expect(await rowOf("select downloads_used as used from files where id = ?", file.id)).toEqual({ used: 1 });
  });

  it("does not cut a download that runs", async () => {
    const file = await limitedFile(1);
    await take(file, "ada");
    await open(file, "ada", "first");
    await file.gate.forget();
    expect(await file.gate.renew("ada", "first", 10)).toBe(true);
  });

  it("leaves no alarm behind that keeps the next gate from setting its own", async () => {
    const file = await limitedFile(1);
    await take(file, "ada");
    await file.gate.forget();
    await take(file, "ben");
    expect(await runInDurableObject(file.gate, (_, { storage }) => storage.getAlarm())).toBe(START + QUARTER);
  });
});

describe("a lease with the id of one that has ended", () => {
  it("begins with nothing, also after the object was evicted", async () => {
    const file = await limitedFile(2);
    await download(file, "ada");
    await waitForUsed(file, 1);
    stopClockAt(START + HOUR_MS);
    expect(await take(file, "ada")).toMatchObject({ ok: true, left: 1 });
    await evictDurableObject(file.gate);
    await open(file, "ada", "second");
    await file.gate.ended("ada", "second", SIZE_BYTES, SIZE_BYTES);
    await waitForUsed(file, 2);
  });
});

describe("a transfer that is still uploading", () => {
  it("is ended by its last download, and expires only once it is ready", async () => {
    const file = await limitedFile(1);
    await runSql("update files set status = 'uploading', uploaded_at = null where id = ?", file.id);
    await download(file, "ada");
    await waitForUsed(file, 1);
    stopClockAt(START + 2 * HOUR_MS);
    await runDurableObjectAlarm(file.gate);
    const row = () => rowOf("select expires_at, end_reason from files where id = ?", file.id);
    await expect.poll(row).toEqual({ expires_at: null, end_reason: "downloads" });
  });
});
