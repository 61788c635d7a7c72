// @module-tag long
import { runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { STORE_ERROR, strike, type Fault } from "../support/faults.ts";
import { batch, crc32Hex, finish, putObject, sendBatch, textFile } from "../support/transfers.ts";
import { answerOf, sha256Of } from "../support/worker.ts";
import {
  bytesOf,
  evict,
  expectEnded,
  keysOf,
  listOf,
  ownerWithFaults,
  phasesOf,
  recordOf,
  rowOfTransfer,
  runAlarmTwice,
  startPack,
  textOf,
  waitForPhases,
  type Transfer,
} from "./transfer-support.ts";

const FILES = [textFile("a.txt"), textFile("b.txt")];
const BYTES = bytesOf(FILES);
const TEXT = "text of a.txttext of b.txt";

async function expectReady(transfer: Transfer): Promise<void> {
  expect(await rowOfTransfer(transfer)).toMatchObject({ status: "ready", size: 26, entryCount: 2 });
  const sums = await Promise.all(
    FILES.map(async ({ bytes }) => [Number.parseInt(crc32Hex(bytes), 16), await sha256Of(bytes)]),
  );
  expect((await listOf(transfer)).map(({ crc32, sha256 }) => [crc32, sha256])).toEqual(sums);
}

describe("a pack that did not arrive as the sender had summed it", () => {
  it("is deleted and sent once more, and then counts as it is stored [TRF-13]", async () => {
    const transfer = await startPack(FILES);
    const { owner, downloadId } = transfer;
    const lie = (receipts: Awaited<ReturnType<Transfer["sendPack"]>>) =>
      receipts.map((receipt) => ({ ...receipt, crc32: "00000000" }));
    await batch(owner, downloadId, { receipts: lie(await transfer.sendPack(BYTES)) });
    await waitForPhases(transfer, { 0: "rejected" });
    expect(await keysOf(transfer)).toEqual([]);
    expect(await batch(owner, downloadId)).toMatchObject({ stored: [], received: [], again: [0] });
    expect(await answerOf(finish(owner, downloadId))).toMatchObject([422, { missing: [0, 1], missingCount: 2 }]);

    await evict(transfer);
    const opened = await batch(owner, downloadId, { open: [{ object: 1, runs: [[0, 2]] }] });
    expect(opened.again).toEqual([]);
    const receipts = lie(await putObject(opened, 1, BYTES));
    expect((await finish(owner, downloadId, receipts)).status).toBe(200);
    expect(await textOf(transfer, 1)).toBe(TEXT);
    await expectReady(transfer);
  });

  it("is named by finish as missing when finish brought its receipts", async () => {
    const transfer = await startPack(FILES);
    const receipts = (await transfer.sendPack(BYTES)).map((receipt) => ({ ...receipt, crc32: "00000000" }));
    expect(await answerOf(finish(transfer.owner, transfer.downloadId, receipts))).toMatchObject([
      422,
      { code: "UPLOAD_INCOMPLETE", missing: [0, 1], missingCount: 2, message: "2 files have not arrived yet." },
    ]);
    expect((await batch(transfer.owner, transfer.downloadId)).again).toEqual([0]);
  });
});

describe("a pack that is overwritten through its signed URL before it is joined", () => {
  it("loses its receipt, so that the sender sends it again [TRF-13]", async () => {
    const transfer = await startPack(FILES);
    const { owner, downloadId } = transfer;
    const stale = await transfer.sendPack(BYTES);
    await transfer.sendPack(new Uint8Array(BYTES.byteLength).fill(65));
    expect((await batch(owner, downloadId, { receipts: stale })).stored).toEqual([]);
    await waitForPhases(transfer, { 0: "open" });
    expect(await batch(owner, downloadId)).toMatchObject({
      stored: [],
      received: [{ object: 0, runs: [[0, 2]], parts: [] }],
      again: [],
    });
    expect((await finish(owner, downloadId)).status).toBe(422);
    expect((await finish(owner, downloadId, await transfer.sendPack(BYTES))).status).toBe(200);
    expect(await textOf(transfer, 0)).toBe(TEXT);
    await expectReady(transfer);
  });

  it("cannot be changed once it is stored", async () => {
    const transfer = await startPack(FILES);
    await batch(transfer.owner, transfer.downloadId, { receipts: await transfer.sendPack(BYTES) });
    await waitForPhases(transfer, { 0: "stored" });
    await expect(transfer.sendPack(new Uint8Array(BYTES.byteLength))).rejects.toThrow("10024");
    expect((await finish(transfer.owner, transfer.downloadId)).status).toBe(200);
    expect(await textOf(transfer, 0)).toBe(TEXT);
  });
});

describe("a fault of storage", () => {
  it("when an upload is created is answered 503, and the same batch then opens the object", async () => {
    const transfer = await startPack(FILES.slice(0, 1), { totals: { entries: 2, bytes: 26 } });
    const body = {
      entries: { from: 1, list: [["b.txt", 13, FILES[1]?.modifiedMs]] },
      open: [{ object: 1, runs: [[1, 1]] }],
    };
    const { fate } = strike(100, STORE_ERROR, (call) => call === "createMultipartUpload");
    expect(await answerOf(sendBatch(ownerWithFaults(transfer, fate), transfer.downloadId, body))).toMatchObject([
      503,
      { code: "STORAGE_UNAVAILABLE" },
    ]);
    await evict(transfer);
    const opened = await batch(transfer.owner, transfer.downloadId, body);
    expect(opened).toMatchObject({ entries: 2, opened: [{ object: 1, partCount: 1 }] });
    const receipts = [
      ...(await transfer.sendPack(FILES[0]?.bytes ?? expect.unreachable())),
      ...(await putObject(opened, 1, FILES[1]?.bytes ?? expect.unreachable())),
    ];
    expect((await finish(transfer.owner, transfer.downloadId, receipts)).status).toBe(200);
    await expectReady(transfer);
  });

  /** Not one of the errors that are tried again at once. */
  const lostForGood: Fault = { strikes: "after", message: "The isolate was reset." };
  const faults = [
    { what: "before an object is joined", fault: STORE_ERROR, call: "complete" },
    { what: "after an object is joined, with a lost answer", fault: lostForGood, call: "complete" },
    { what: "when a pack is read back", fault: STORE_ERROR, call: "get" },
  ];

  describe.each(faults)("$what", ({ fault, call }) => {
    /** Every retry within the call fails too. */
    const always = () => strike(100, fault, (name) => name === call);

    it("leaves the object to the alarm, also after an eviction [TRF-12]", async () => {
      const transfer = await startPack(FILES);
      const { fate, struck } = always();
      const receipts = await transfer.sendPack(BYTES);
      const answered = await sendBatch(ownerWithFaults(transfer, fate), transfer.downloadId, { receipts });
      expect(answered.status).toBe(200);
      await expect.poll(() => struck.length).toBeGreaterThan(0);
      await evict(transfer);
      expect(await phasesOf(transfer)).toEqual({ 0: "joining" });
      await runAlarmTwice(transfer);
      expect(await phasesOf(transfer)).toEqual({ 0: "stored" });
      expect((await batch(transfer.owner, transfer.downloadId)).stored).toEqual([[0, 2]]);
      expect((await finish(transfer.owner, transfer.downloadId)).status).toBe(200);
      await expectReady(transfer);
    });

    it("during finish is answered 503, and the alarm finishes the transfer", async () => {
      const transfer = await startPack(FILES);
      const receipts = await transfer.sendPack(BYTES);
      const answered = finish(ownerWithFaults(transfer, always().fate), transfer.downloadId, receipts);
      expect(await answerOf(answered)).toMatchObject([503, { code: "STORAGE_UNAVAILABLE" }]);
      expect(await recordOf(transfer)).toMatchObject({ phase: "completing", attempts: 1 });
      await evict(transfer);
      await runAlarmTwice(transfer);
      await expectReady(transfer);
    });
  });

  it.each(["abort", "delete"])("at %s while a transfer is cancelled is made good by the alarm", async (method) => {
    const transfer = await startPack(FILES.slice(0, 1), { totals: { entries: 2, bytes: 26 } });
    const { owner, downloadId } = transfer;
    await batch(owner, downloadId, { receipts: await transfer.sendPack(FILES[0]?.bytes ?? expect.unreachable()) });
    await waitForPhases(transfer, { 0: "stored" });
    const opened = await batch(owner, downloadId, {
      entries: { from: 1, list: [["b.txt", 13, 0]] },
      open: [{ object: 1, runs: [[1, 1]] }],
    });
    const { fate } = strike(100, STORE_ERROR, (call) => call === method);
    await ownerWithFaults(transfer, fate).post("/api/direct-upload/cancel", { downloadId });
    expect(await recordOf(transfer)).toMatchObject({ phase: "cancelled", cleanedUp: false });
    await evict(transfer);
    expect(await runDurableObjectAlarm(transfer.stub)).toBe(true);
    await expectEnded(transfer, "cancelled");
    await expect(putObject(opened, 1, FILES[1]?.bytes ?? expect.unreachable())).rejects.toThrow("10024");
  });
});
