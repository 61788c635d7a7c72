import { runDurableObjectAlarm } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/units.ts";
import { DownloadGate } from "#durable-objects/gate/download-gate.ts";
import { LOST_ANSWER, OVERLOADED, strike, TURNED_AWAY } from "../support/faults.ts";
import {
  SIZE_BYTES,
  QUARTER,
  START,
  type Stub,
  type LimitedFile,
  limitedFile,
  gateWithFaults,
  take,
  open,
  download,
  rowOfFile,
  waitForUsed,
  evict,
  tablesOf,
} from "../support/limited-files.ts";
import { runSql, stopClockAt } from "../support/worker.ts";

beforeEach(() => {
  stopClockAt(START);
});
describe("fifty who take at once", () => {
  it("get three leases of three places, and three downloads are counted, twenty times", { tags: "long" }, async () => {
    for (let round = 0; round < 20; round += 1) {
      const file = await limitedFile(3);
      const leases = Array.from({ length: 50 }, (_, at) => `lease ${at}`);
      const answers = await Promise.all(leases.map(async (lease) => ({ lease, answer: await take(file, lease) })));
      const taken = answers.filter(({ answer }) => answer.ok).map(({ lease }) => lease);
      const refused = answers.flatMap(({ answer }) => (answer.ok ? [] : [answer]));
      expect(taken).toHaveLength(3);
      expect(refused).toEqual(
        Array.from({ length: 47 }, () => ({ ok: false, code: "DOWNLOADS_BUSY", freeAt: START + QUARTER })),
      );
      await Promise.all(
        taken.flatMap((lease) => [
          download(file, lease),
          file.gate.ended(lease, `of ${lease}`, SIZE_BYTES, SIZE_BYTES),
        ]),
      );
      expect(await take(file, "late")).toEqual({ ok: false, code: "DOWNLOADS_USED_UP" });
      await waitForUsed(file, 3);
      expect(await rowOfFile(file)).toMatchObject({ used: 3, endedAt: START });
    }
  });
});

describe("a gate", () => {
  /** The life of a link of two: one browser finishes, one breaks off and goes on, one is refused. */
  const LIFE: ((file: LimitedFile) => Promise<unknown>)[] = [
    (file) => take(file, "ada"),
    (file) => open(file, "ada", "first"),
    ({ gate }) => gate.renew("ada", "first", 400),
    (file) => take(file, "ben"),
    (file) => open(file, "ben", "second"),
    (file) => take(file, "cy"),
    ({ gate }) => gate.ended("ada", "first", SIZE_BYTES, SIZE_BYTES),
    ({ gate }) => gate.ended("ben", "second", 600, 700),
    (file) => take(file, "ben"),
    ({ gate }) =>
      gate.open("ben", { response: "third", resource: "file", from: 650, to: 1000, wholes: [[0, SIZE_BYTES]] }),
    ({ gate }) => gate.renew("ben", "third", 900),
    ({ gate }) => gate.ended("ben", "third", SIZE_BYTES, SIZE_BYTES),
    (file) => take(file, "dot"),
    ({ gate }) => gate.setLimit(3),
    (file) => take(file, "dot"),
  ];

  async function live(afterEachCall: (file: LimitedFile, call: () => Promise<unknown>) => Promise<void>) {
    const file = await limitedFile(2);
    const answers: unknown[] = [];
    for (const step of LIFE) {
      const call = () => step(file);
      answers.push(await call());
      await afterEachCall(file, call);
    }
    await waitForUsed(file, 2);
    await expect.poll(async () => (await rowOfFile(file)).limit).toBe(3);
    return { answers, row: await rowOfFile(file), tables: leasesIn(await tablesOf(file)) };
  }

  function leasesIn(tables: Record<string, unknown[]> | null): unknown {
    const { leases, spans } = tables ?? expect.unreachable();
    return { leases, spans };
  }

  it("answers and counts the same when it is evicted after each call", async () => {
    const expected = await live(() => Promise.resolve());
    expect(expected.answers).toEqual([
      { ok: true, lease: "ada", left: 2, until: START + QUARTER },
      { ok: true, lease: "ada" },
      true,
      { ok: true, lease: "ben", left: 1, until: START + QUARTER },
      { ok: true, lease: "ben" },
      { ok: false, code: "DOWNLOADS_BUSY", freeAt: START + QUARTER },
      undefined,
      undefined,
      { ok: true, lease: "ben", left: 1, until: START + QUARTER },
      { ok: true, lease: "ben" },
      true,
      undefined,
      { ok: false, code: "DOWNLOADS_USED_UP" },
      true,
      { ok: true, lease: "dot", left: 1, until: START + QUARTER },
    ]);
    expect(expected.row).toMatchObject({ used: 2, endedAt: null, limit: 3 });
    expect(await live((file) => evict(file))).toEqual(expected);
  });

  it("counts the same when each call comes twice", async () => {
    const expected = await live(() => Promise.resolve());
    const { row, tables } = await live(async (_, call) => {
      await call();
    });
    expect([row.used, tables]).toEqual([expected.row.used, expected.tables]);
  });

  it("that was never taken from stores nothing, whatever it is asked", async () => {
    const file = await limitedFile(1);
    expect(await open(file, "ada", "first")).toEqual({ ok: false, code: "LEASE_NEEDED" });
    expect(await file.gate.renew("ada", "first", 0)).toBe(true);
    await file.gate.ended("ada", "first", SIZE_BYTES, SIZE_BYTES);
    expect(await file.gate.setLimit(5)).toBe(true);
    await file.gate.letGoOn();
    expect(await tablesOf(file)).toBeNull();
    expect(await runDurableObjectAlarm(file.gate)).toBe(false);
  });

  it("keeps the limit that it knows, and starts from what the row says", async () => {
    const file = await limitedFile(2);
    const row = { fileId: file.id, sizeBytes: SIZE_BYTES, expiresAt: null };
    expect(await file.gate.take("ada", { ...row, limit: 2, used: 1 })).toMatchObject({ ok: true, left: 1 });
    expect(await file.gate.take("ben", { ...row, limit: 9, used: 0 })).toMatchObject({ code: "DOWNLOADS_BUSY" });
  });

  it("lets a link go on that gave away too many unfinished copies", async () => {
    const file = await limitedFile(1);
    for (let bot = 0; bot < 4; bot += 1) {
      stopClockAt(START + bot * QUARTER);
      await take(file, `bot ${bot}`);
      await open(file, `bot ${bot}`, `of bot ${bot}`);
    }
    stopClockAt(START + 4 * QUARTER);
    expect(await take(file, "ada")).toEqual({ ok: false, code: "ATTEMPTS_USED_UP" });
    await file.gate.letGoOn();
    expect(await take(file, "ada")).toMatchObject({ ok: true });
  });
});

describe("the row", () => {
  it.each([
    ["turns it away", TURNED_AWAY, 4],
    ["loses its answers", LOST_ANSWER, 4],
    ["is overloaded, and is not asked again at once", OVERLOADED, 1],
  ])("has the count in the end although D1 %s", async (_, fault, times) => {
    const file = await limitedFile(1);
    const isOn = { value: true };
    const { fate, struck } = strike(Infinity, fault, (call) => isOn.value && call.includes("downloads_used"));
    const gate = gateWithFaults(file, fate);
    await download(file, "ada", gate);
    // Every retry of the first attempt has failed.
    await expect.poll(() => attemptsOf(file)).toBe(1);
    expect(struck).toHaveLength(times);
    isOn.value = false;
    await evict(file);
    expect(await runDurableObjectAlarm(file.gate)).toBe(true);
    expect(await rowOfFile(file)).toMatchObject({ used: 1, endedAt: START });
    expect(await attemptsOf(file)).toBe(0);
  });

  async function attemptsOf(file: LimitedFile): Promise<unknown> {
    const [link] = (await tablesOf(file))?.link ?? [];
    return (link as { attempts: number }).attempts;
  }

  it("expires when the last lease has closed, though the alarm runs twice", async () => {
    const file = await limitedFile(1);
    await download(file, "ada");
    await waitForUsed(file, 1);
    const { expiresAt } = await rowOfFile(file);
    stopClockAt(START + HOUR_MS - 1);
    await runDurableObjectAlarm(file.gate);
    expect(await rowOfFile(file)).toMatchObject({ expiresAt, reason: null });
    stopClockAt(START + HOUR_MS);
    expect(await runDurableObjectAlarm(file.gate)).toBe(true);
    const closed = { used: 1, endedAt: START, expiresAt: START + HOUR_MS, reason: "downloads", limit: 1 };
    expect(await rowOfFile(file)).toEqual(closed);
    await evict(file);
    stopClockAt(START + HOUR_MS + MINUTE_MS);
    await runDurableObjectAlarm(file.gate);
    expect(await rowOfFile(file)).toEqual(closed);
    expect(await file.gate.setLimit(2)).toBe(false);
  });

  it("keeps a higher count than the gate's", async () => {
    const file = await limitedFile(9);
    await runSql("update files set downloads_used = 5 where id = ?", file.id);
    await download(file, "ada");
    await file.gate.setLimit(8);
    await expect.poll(async () => (await rowOfFile(file)).limit).toBe(8);
    expect((await rowOfFile(file)).used).toBe(5);
  });

  it("keeps an earlier expiry, and stays without a limit that its owner has removed", async () => {
    const file = await limitedFile(1);
    await download(file, "ada");
    await waitForUsed(file, 1);
    await runSql("update files set expires_at = 5 where id = ?", file.id);
    stopClockAt(START + HOUR_MS);
    await runDurableObjectAlarm(file.gate);
    await expect.poll(async () => (await rowOfFile(file)).reason).toBe("downloads");
    expect((await rowOfFile(file)).expiresAt).toBe(5);

    const unlimited = await limitedFile(1);
    await take(unlimited, "ada");
    await open(unlimited, "ada", "first");
    await runSql("update files set max_downloads = null where id = ?", unlimited.id);
    await unlimited.gate.ended("ada", "first", SIZE_BYTES, SIZE_BYTES);
    await runDurableObjectAlarm(unlimited.gate);
    expect(await rowOfFile(unlimited)).toMatchObject({ limit: null, used: 0, endedAt: null });
  });
});

describe("a gate forgets everything", () => {
  /** Runs the alarm at this moment, twice. */
  async function alarmAt(file: LimitedFile, at: number): Promise<void> {
    stopClockAt(at);
    await runDurableObjectAlarm(file.gate);
    await evict(file);
    await runDurableObjectAlarm(file.gate);
  }

  it("an hour after its link was used up", async () => {
    const file = await limitedFile(1);
    await download(file, "ada");
    await waitForUsed(file, 1);
    await alarmAt(file, START + HOUR_MS);
    await alarmAt(file, START + 2 * HOUR_MS - 1);
    expect(await tablesOf(file)).not.toBeNull();
    await alarmAt(file, START + 2 * HOUR_MS);
    expect(await tablesOf(file)).toBeNull();
    expect(await runDurableObjectAlarm(file.gate)).toBe(false);
  });

  it("an hour after its link expired, and not when its owner extended it", async () => {
    const file = await limitedFile(5);
    const row = { fileId: file.id, sizeBytes: SIZE_BYTES, limit: 5, used: 0, expiresAt: START + DAY_MS };
    await file.gate.take("ada", row);
    await runSql("update files set expires_at = ? where id = ?", START + 2 * DAY_MS, file.id);
    await alarmAt(file, START + DAY_MS + HOUR_MS);
    expect(await tablesOf(file)).not.toBeNull();
    await alarmAt(file, START + 2 * DAY_MS + HOUR_MS);
    expect(await tablesOf(file)).toBeNull();
  });

  it("within a week when its link is gone, and not while D1 does not answer", async () => {
    const file = await limitedFile(5);
    await take(file, "ada");
    await runSql("delete from files where id = ?", file.id);
    stopClockAt(START + 7 * DAY_MS);
    const { fate, struck } = strike(Infinity, OVERLOADED, (call) => call.includes("select"));
    const faulty = gateWithFaults(file, fate) as Stub & Pick<DownloadGate, "alarm">;
    await faulty.alarm();
    expect(struck.length).toBeGreaterThan(0);
    expect(await tablesOf(file)).not.toBeNull();
    await alarmAt(file, START + 7 * DAY_MS + MINUTE_MS);
    expect(await tablesOf(file)).toBeNull();
  });
});
