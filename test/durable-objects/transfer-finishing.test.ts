// @module-tag long
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/units.ts";
import { LOST_REQUEST, faultyEnv, strike } from "../support/faults.ts";
import { announcementOf, batch, finish, putObject, sendBatch, textFile, totalsOf } from "../support/transfers.ts";
import { clientFrom } from "../support/worker-with-env.ts";
import { answerOf } from "../support/worker.ts";
import {
  bytesOf,
  changeRecord,
  evict,
  expectEnded,
  keysOf,
  listOf,
  monthOf,
  recordOf,
  rowOfTransfer,
  runAlarmTwice,
  start,
  startPack,
  textOf,
  waitForPhases,
  type Transfer,
} from "./transfer-support.ts";

const FILES = [textFile("a.txt"), textFile("b.txt"), textFile("empty.txt", ""), textFile("c.txt")];
const FIRST = bytesOf(FILES.slice(0, 2));
const SECOND = bytesOf(FILES.slice(3));

/** Row, list, month, storage and session agree. */
async function expectReady(transfer: Transfer): Promise<void> {
  expect(await rowOfTransfer(transfer)).toMatchObject({ status: "ready", size: 39, entryCount: 4 });
  expect(await monthOf(transfer)).toEqual({ bytes: 39, transfers: 1 });
  expect((await listOf(transfer)).map(({ path, object, offset }) => [path, object, offset])).toEqual([
    ["a.txt", 0, 0],
    ["b.txt", 0, 13],
    ["empty.txt", null, 0],
    ["c.txt", 1, 0],
  ]);
  expect(await keysOf(transfer)).toHaveLength(2);
  expect([await textOf(transfer, 0), await textOf(transfer, 1)]).toEqual([
    "text of a.txttext of b.txt",
    "text of c.txt",
  ]);
  expect(await recordOf(transfer)).toMatchObject({ phase: "ready" });
}

/** All bytes of two objects are stored or have receipts. */
async function sent(): Promise<Transfer> {
  const transfer = await startPack(FILES.slice(0, 2), { totals: totalsOf(FILES) });
  const { owner, downloadId } = transfer;
  const opened = await batch(owner, downloadId, {
    entries: { from: 2, list: FILES.slice(2).map(announcementOf) },
    open: [{ object: 1, runs: [[3, 1]] }],
  });
  const receipts = [...(await transfer.sendPack(FIRST)), ...(await putObject(opened, 1, SECOND))];
  await batch(owner, downloadId, { receipts });
  return transfer;
}

describe("a transfer", () => {
  const steps = ["announcing", "opening", "the first receipt", "all receipts", "finish", "a second finish"];

  it.each([
    { when: "never", after: [] },
    ...steps.map((step) => ({ when: `after ${step}`, after: [step] })),
    { when: "after each step", after: steps },
  ])("has the same outcome when its object is evicted $when [TRF-12]", async ({ after }) => {
    const transfer = await start(FILES.slice(0, 2), { totals: totalsOf(FILES) });
    const { owner, downloadId } = transfer;
    const maybeEvict = async (step: string) => {
      if (after.includes(step)) await evict(transfer);
    };
    await batch(owner, downloadId, { entries: { from: 2, list: FILES.slice(2).map(announcementOf) } });
    await maybeEvict("announcing");
    const opened = await batch(owner, downloadId, {
      open: [
        { object: 0, runs: [[0, 2]] },
        { object: 1, runs: [[3, 1]] },
      ],
    });
    await maybeEvict("opening");
    await batch(owner, downloadId, { receipts: await putObject(opened, 0, FIRST) });
    await maybeEvict("the first receipt");
    await batch(owner, downloadId, { receipts: await putObject(opened, 1, SECOND) });
    await maybeEvict("all receipts");
    const answer = await answerOf(finish(owner, downloadId));
    await maybeEvict("finish");
    expect(await answerOf(finish(owner, downloadId))).toEqual(answer);
    await maybeEvict("a second finish");
    expect(await answerOf(finish(owner, downloadId))).toEqual(answer);
    expect(answer).toMatchObject([200, { size: 39, entries: 4 }]);
    await expectReady(transfer);
  });

  it("answers twenty parallel calls of finish alike, and is ready once [TRF-12]", async () => {
    const transfer = await sent();
    const responses = await Promise.all(Array.from({ length: 20 }, () => finish(transfer.owner, transfer.downloadId)));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(new Set(await Promise.all(responses.map((response) => response.text()))).size).toBe(1);
    await expectReady(transfer);
    const { results } = await env.DB.prepare("select error_code as code from upload_audit_logs where id like ?")
      .bind(`${transfer.id}%`)
      .all<{ code: string }>();
    expect(results).toEqual([{ code: "COMPLETED" }]);
  });

  it("that is cancelled while it finishes becomes ready", async () => {
    const transfer = await sent();
    const [finished, cancelled] = await runInDurableObject(transfer.stub, (session) =>
      Promise.all([session.finish([]), session.cancel()]),
    );
    expect(finished).toMatchObject({ ok: true });
    expect(cancelled).toEqual({ ok: false, code: "UPLOAD_FINISHED" });
    await expectReady(transfer);
  });

  it("is finished by the alarm after the database has failed", async () => {
    const transfer = await sent();
    const { fate } = strike(100, LOST_REQUEST, (sql) => sql.includes('"zip_size" = ?'));
    const owner = clientFrom(
      "192.0.2.1",
      faultyEnv(env, fate, () => null),
      transfer.owner.cookie,
    );
    expect(await answerOf(finish(owner, transfer.downloadId))).toMatchObject([503, { code: "STORAGE_UNAVAILABLE" }]);
    expect(await rowOfTransfer(transfer)).toMatchObject({ status: "uploading" });
    await evict(transfer);
    await runAlarmTwice(transfer);
    await expectReady(transfer);
  });

  it("is given up ten hours after its completion began, however often that was tried [TRF-34]", async () => {
    const transfer = await sent();
    await waitForPhases(transfer, { 0: "stored", 1: "stored" });
    const finishWithoutDatabase = () => {
      const { fate } = strike(100, LOST_REQUEST, (sql) => sql.includes('"zip_size" = ?'));
      const { TRANSFERS } = faultyEnv(env, fate, () => null);
      return TRANSFERS.get(TRANSFERS.idFromName(transfer.id)).finish([]);
    };
    const completing = { phase: "completing", attempts: 500 } as const;
    await changeRecord(transfer, { ...completing, completingSince: Date.now() - 10 * HOUR_MS + MINUTE_MS });
    await finishWithoutDatabase();
    expect(await recordOf(transfer)).toMatchObject({ phase: "completing", attempts: 501 });
    await changeRecord(transfer, { ...completing, completingSince: Date.now() - 10 * HOUR_MS });
    await finishWithoutDatabase();
    expect(await recordOf(transfer)).toMatchObject({ phase: "failed", endCode: "STORAGE_UNAVAILABLE" });
    await runAlarmTwice(transfer);
    await expectEnded(transfer, "failed");
  });

  it("tells who sends a batch or asks meanwhile that it is being completed [TRF-34]", async () => {
    const transfer = await sent();
    await changeRecord(transfer, { phase: "completing" });
    const completing = [
      409,
      { code: "UPLOAD_COMPLETING", message: "This upload is being completed. Ask again in a moment." },
    ];
    const { owner, downloadId } = transfer;
    expect(await answerOf(sendBatch(owner, downloadId, {}))).toEqual(completing);
    expect(await answerOf(sendBatch(owner, downloadId, { remove: [0] }))).toEqual(completing);
    expect((await finish(owner, downloadId)).status).toBe(200);
    expect(await answerOf(sendBatch(owner, downloadId, {}))).toMatchObject([409, { code: "UPLOAD_FINISHED" }]);
  });

  it("names the first hundred missing files and how many there are", async () => {
    const files = Array.from({ length: 150 }, (_, n) => textFile(`${n}`, "x"));
    const transfer = await start([...files, textFile("empty", "")]);
    const missing = {
      code: "UPLOAD_INCOMPLETE",
      missingCount: 150,
      missing: Array.from({ length: 100 }, (_, n) => n),
      message: "150 files have not arrived yet.",
    };
    expect(await answerOf(finish(transfer.owner, transfer.downloadId))).toEqual([422, missing]);
    expect(await recordOf(transfer)).toMatchObject({ phase: "created" });
    expect(await batch(transfer.owner, transfer.downloadId)).toMatchObject({ stored: [[150, 1]] });
  });

  it("without files is not finished", async () => {
    const transfer = await start(FILES.slice(0, 1));
    await batch(transfer.owner, transfer.downloadId, { remove: [0] });
    expect(await answerOf(finish(transfer.owner, transfer.downloadId))).toEqual([
      400,
      { code: "BAD_REQUEST", message: "This transfer has no files yet." },
    ]);
  });
});

describe.each([
  { point: "before its objects were joined", isJoined: false, isReady: false },
  { point: "before the database had its list", isJoined: true, isReady: false },
  { point: "after the database recorded it and before its object did", isJoined: true, isReady: true },
])("a transfer that crashed while it was completed, $point", ({ isJoined, isReady }) => {
  async function crashed(): Promise<Transfer> {
    const transfer = await sent();
    if (isJoined) await waitForPhases(transfer, { 0: "stored", 1: "stored" });
    if (isReady) expect((await finish(transfer.owner, transfer.downloadId)).status).toBe(200);
    await changeRecord(transfer, { phase: "completing", settledAt: null, finished: null });
    return transfer;
  }

  it("is finished by another call of finish", async () => {
    const transfer = await crashed();
    expect((await transfer.stub.finish([])).ok).toBe(true);
    await expectReady(transfer);
  });

  it("is finished by the alarm, also when that comes twice", async () => {
    const transfer = await crashed();
    await runAlarmTwice(transfer);
    await expectReady(transfer);
  });

  it("is finished once when calls, alarm and cron come together", async () => {
    const transfer = await crashed();
    const { etag } = await rowOfTransfer(transfer);
    const [first, second] = await Promise.all([
      transfer.stub.finish([]),
      transfer.stub.finish([]),
      runDurableObjectAlarm(transfer.stub),
      transfer.stub.endIfAbandoned(transfer.id),
    ]);
    expect(first).toMatchObject({ ok: true, sizeBytes: 39 });
    expect(second).toEqual(first);
    await expectReady(transfer);
    if (isReady) expect((await rowOfTransfer(transfer)).etag).toBe(etag);
  });
});

describe("a transfer without further receipts", () => {
  it("is abandoned after 24 hours with half of it stored: nothing stays in storage, quota or uploads [TRF-15]", async () => {
    const transfer = await startPack(FILES.slice(0, 2), { totals: totalsOf(FILES) });
    const { owner, downloadId } = transfer;
    await batch(owner, downloadId, { receipts: await transfer.sendPack(FIRST) });
    await waitForPhases(transfer, { 0: "stored" });
    const opened = await batch(owner, downloadId, {
      entries: { from: 2, list: FILES.slice(2).map(announcementOf) },
      open: [{ object: 1, runs: [[3, 1]] }],
    });
    await putObject(opened, 1, SECOND);
    await changeRecord(transfer, { lastReceiptAt: Date.now() - DAY_MS });
    await runAlarmTwice(transfer);
    await expectEnded(transfer, "failed");
    await expect(putObject(opened, 1, SECOND)).rejects.toThrow("10024");
    expect(await answerOf(sendBatch(owner, downloadId, {}))).toMatchObject([409, { code: "UPLOAD_CLOSED" }]);
    expect(await transfer.stub.endIfAbandoned(transfer.id)).toBeNull();
    await expectEnded(transfer, "failed");
  });

  it("stays open for 24 hours after the last receipt", async () => {
    const transfer = await sent();
    await changeRecord(transfer, { lastReceiptAt: Date.now() - DAY_MS + HOUR_MS });
    await runAlarmTwice(transfer);
    expect((await finish(transfer.owner, transfer.downloadId)).status).toBe(200);
    await expectReady(transfer);
  });
});

describe("an hour after the end of a transfer", () => {
  it("its object has deleted itself, and the answer to finish stays the same", async () => {
    const transfer = await sent();
    const before = await answerOf(finish(transfer.owner, transfer.downloadId));
    await changeRecord(transfer, { settledAt: Date.now() - HOUR_MS });
    await runAlarmTwice(transfer);
    expect(await recordOf(transfer)).toBeNull();
    expect(await answerOf(finish(transfer.owner, transfer.downloadId))).toEqual(before);
    expect(await transfer.stub.finish([])).toEqual({ ok: false, code: "NO_UPLOAD" });
    expect(await keysOf(transfer)).toHaveLength(2);
  });
});
