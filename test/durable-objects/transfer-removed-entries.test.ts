// @module-tag long
import { describe, expect, it } from "vitest";
import { MIB } from "#domain/units.ts";
import { STORE_ERROR, strike } from "../support/faults.ts";
import { announcementOf, batch, crc32Hex, finish, putObject, sendBatch, textFile } from "../support/transfers.ts";
import { answerOf, patternBytes } from "../support/worker.ts";
import {
  bytesOf,
  evict,
  expectEnded,
  keysOf,
  listOf,
  monthOf,
  ownerWithFaults,
  phasesOf,
  rowOfTransfer,
  runAlarmTwice,
  start,
  startPack,
  tablesOf,
  textOf,
  waitForPhases,
  type Transfer,
} from "./transfer-support.ts";

const FILES = [textFile("a.txt"), textFile("b.txt"), textFile("c.txt")];
const BYTES = bytesOf(FILES);
/** Of "text of b.txt". */
const ZEROS = "\0".repeat(13);

async function storedPack(): Promise<Transfer> {
  const transfer = await startPack(FILES);
  await batch(transfer.owner, transfer.downloadId, { receipts: await transfer.sendPack(BYTES) });
  await waitForPhases(transfer, { 0: "stored" });
  return transfer;
}

/** The second file is missing from the ZIP; its number and the month's bytes stay as they are announced. */
async function expectReadyWithoutSecond(transfer: Transfer): Promise<void> {
  expect(await rowOfTransfer(transfer)).toMatchObject({ status: "ready", size: 26, entryCount: 2 });
  expect(await monthOf(transfer)).toEqual({ bytes: 26, transfers: 1 });
  const list = await listOf(transfer);
  expect(list.map(({ path, removedAt }) => [path, removedAt !== null])).toEqual([
    ["a.txt", false],
    ["b.txt", true],
    ["c.txt", false],
  ]);
  const sumOf = (n: number) => Number.parseInt(crc32Hex(FILES[n]?.bytes ?? new Uint8Array()), 16);
  expect([list[0]?.crc32, list[2]?.crc32]).toEqual([sumOf(0), sumOf(2)]);
}

describe("a file that is removed before the end", () => {
  it("and was only announced is not waited for", async () => {
    const transfer = await start(FILES);
    const { owner, downloadId } = transfer;
    await batch(owner, downloadId, { remove: [1] });
    await evict(transfer);
    const opened = await batch(owner, downloadId, {
      open: [
        {
          object: 0,
          runs: [
            [0, 1],
            [2, 1],
          ],
        },
      ],
    });
    const receipts = await putObject(opened, 0, bytesOf([FILES[0], FILES[2]].flatMap((file) => file ?? [])));
    expect((await finish(owner, downloadId, receipts)).status).toBe(200);
    expect(await textOf(transfer, 0)).toBe("text of a.txttext of c.txt");
    await expectReadyWithoutSecond(transfer);
  });

  it("and was in an open pack is wiped once the pack is stored", async () => {
    const transfer = await startPack(FILES);
    const { owner, downloadId } = transfer;
    await batch(owner, downloadId, { remove: [1] });
    await evict(transfer);
    expect((await finish(owner, downloadId, await transfer.sendPack(BYTES))).status).toBe(200);
    expect(await textOf(transfer, 0)).toBe(`text of a.txt${ZEROS}text of c.txt`);
    await expectReadyWithoutSecond(transfer);
  });

  it("and is in a pack that its sender opens later is wiped once the pack is stored", async () => {
    const transfer = await start(FILES);
    const { owner, downloadId } = transfer;
    await batch(owner, downloadId, { remove: [1] });
    const opened = await batch(owner, downloadId, { open: [{ object: 0, runs: [[0, 3]] }] });
    await evict(transfer);
    expect((await finish(owner, downloadId, await putObject(opened, 0, BYTES))).status).toBe(200);
    expect(await textOf(transfer, 0)).toBe(`text of a.txt${ZEROS}text of c.txt`);
    await expectReadyWithoutSecond(transfer);
  });

  it("and was in a dropped pack leaves nothing: the others go in another one", async () => {
    const transfer = await startPack(FILES);
    const { owner, downloadId } = transfer;
    await transfer.sendPack(BYTES);
    const opened = await batch(owner, downloadId, {
      remove: [1],
      drop: [0],
      open: [
        {
          object: 1,
          runs: [
            [0, 1],
            [2, 1],
          ],
        },
      ],
    });
    const receipts = await putObject(opened, 1, bytesOf([FILES[0], FILES[2]].flatMap((file) => file ?? [])));
    expect((await finish(owner, downloadId, receipts)).status).toBe(200);
    expect(await keysOf(transfer)).toEqual([`files/${transfer.id}/00001`]);
    await expect(transfer.sendPack(BYTES)).rejects.toThrow("10024");
    await expectReadyWithoutSecond(transfer);
  });

  it("and is stored in a pack is overwritten with zeros at once [TRF-14]", async () => {
    const transfer = await storedPack();
    const { owner, downloadId } = transfer;
    expect((await batch(owner, downloadId, { remove: [1] })).stored).toEqual([
      [0, 1],
      [2, 1],
    ]);
    await expect.poll(() => textOf(transfer, 0)).toBe(`text of a.txt${ZEROS}text of c.txt`);
    expect((await finish(owner, downloadId)).status).toBe(200);
    await expectReadyWithoutSecond(transfer);
  });

  it("and is an object of its own is deleted at once, and the transfer goes on", async () => {
    const large = { ...textFile("large.bin"), bytes: patternBytes(17 * MIB) };
    const transfer = await start([large, ...FILES.slice(0, 1)], { open: [{ object: 0, runs: [[0, 1]] }] });
    const { owner, downloadId } = transfer;
    await batch(owner, downloadId, { receipts: await transfer.sendPack(large.bytes) });
    await waitForPhases(transfer, { 0: "stored" });
    const opened = await batch(owner, downloadId, { remove: [0], open: [{ object: 1, runs: [[1, 1]] }] });
    await expect.poll(() => keysOf(transfer)).toEqual([]);
    const receipts = await putObject(opened, 1, FILES[0]?.bytes ?? expect.unreachable());
    expect((await finish(owner, downloadId, receipts)).status).toBe(200);
    expect(await keysOf(transfer)).toEqual([`files/${transfer.id}/00001`]);
    expect(await rowOfTransfer(transfer)).toMatchObject({ size: 13, entryCount: 1 });
    expect(await monthOf(transfer)).toEqual({ bytes: 13, transfers: 1 });
  });

  it("together with the rest of its pack takes the pack along", async () => {
    const transfer = await storedPack();
    await batch(transfer.owner, transfer.downloadId, { remove: [1] });
    await batch(transfer.owner, transfer.downloadId, { remove: [0, 2] });
    await expect.poll(() => keysOf(transfer)).toEqual([]);
    await transfer.owner.post("/api/direct-upload/cancel", { downloadId: transfer.downloadId });
    await expectEnded(transfer, "cancelled");
  });

  it.each(["get", "put"])("is wiped by the alarm when storage fails at %s", async (method) => {
    const transfer = await storedPack();
    const { fate, struck } = strike(100, STORE_ERROR, (call) => call === method);
    await sendBatch(ownerWithFaults(transfer, fate), transfer.downloadId, { remove: [1] });
    await expect.poll(() => struck.length).toBeGreaterThan(0);
    await evict(transfer);
    expect(await textOf(transfer, 0)).toBe("text of a.txttext of b.txttext of c.txt");
    await runAlarmTwice(transfer);
    expect(await textOf(transfer, 0)).toBe(`text of a.txt${ZEROS}text of c.txt`);
  });

  it("is wiped before the transfer is ready: finish waits for storage [TRF-14]", async () => {
    const transfer = await startPack(FILES);
    const { downloadId } = transfer;
    const receipts = await transfer.sendPack(BYTES);
    await batch(transfer.owner, downloadId, { remove: [1] });
    const { fate } = strike(100, STORE_ERROR, (call) => call === "put");
    expect(await answerOf(finish(ownerWithFaults(transfer, fate), downloadId, receipts))).toMatchObject([
      503,
      { code: "STORAGE_UNAVAILABLE" },
    ]);
    expect(await rowOfTransfer(transfer)).toMatchObject({ status: "uploading" });
    await evict(transfer);
    await runAlarmTwice(transfer);
    expect(await textOf(transfer, 0)).toBe(`text of a.txt${ZEROS}text of c.txt`);
    await expectReadyWithoutSecond(transfer);
  });

  it("can come again under a new number, in the same batch, and needs larger totals", async () => {
    const transfer = await storedPack();
    const { owner, downloadId } = transfer;
    const changed = textFile("b.txt", "a later text");
    const entries = { from: 3, list: [announcementOf(changed)] };
    expect(await answerOf(sendBatch(owner, downloadId, { remove: [1], entries }))).toMatchObject([
      409,
      { code: "TOTALS_EXCEEDED" },
    ]);
    expect(await answerOf(sendBatch(owner, downloadId, { entries, totals: { entries: 4, bytes: 51 } }))).toMatchObject([
      409,
      { code: "ENTRY_CONFLICT", index: 0, message: "Two files of a transfer cannot have the same path." },
    ]);
    const opened = await batch(owner, downloadId, {
      remove: [1],
      entries,
      totals: { entries: 4, bytes: 51 },
      open: [{ object: 1, runs: [[3, 1]] }],
    });
    expect(opened).toMatchObject({
      entries: 4,
      stored: [
        [0, 1],
        [2, 1],
      ],
    });
    const receipts = await putObject(opened, 1, changed.bytes);
    expect((await finish(owner, downloadId, receipts)).status).toBe(200);
    expect(await phasesOf(transfer)).toEqual({ 0: "stored", 1: "stored" });
    const list = await listOf(transfer);
    expect(list.map(({ path, object, removedAt }) => [path, object, removedAt !== null])).toEqual([
      ["a.txt", 0, false],
      ["b.txt", 0, true],
      ["c.txt", 0, false],
      ["b.txt", 1, false],
    ]);
    expect(await monthOf(transfer)).toEqual({ bytes: 38, transfers: 1 });
  });

  it("is wiped only where an object holds its bytes", async () => {
    const transfer = await start([...FILES, textFile("empty.txt", "")]);
    const { owner, downloadId } = transfer;
    const wiped = async () =>
      (await tablesOf(transfer)).removed?.map((row) => Object.values(row as Record<string, number>)[2]);
    await batch(owner, downloadId, { remove: [1, 3] });
    expect(await wiped()).toEqual([1, 1]);
    await batch(owner, downloadId, { open: [{ object: 0, runs: [[0, 2]] }] });
    expect(await wiped()).toEqual([0, 1]);
    const opened = await batch(owner, downloadId, { drop: [0], open: [{ object: 1, runs: [[0, 3]] }] });
    expect(await wiped()).toEqual([0, 1]);
    await batch(owner, downloadId, { receipts: await putObject(opened, 1, BYTES) });
    await expect.poll(wiped).toEqual([1, 1]);
    expect(await textOf(transfer, 1)).toBe(`text of a.txt${ZEROS}text of c.txt`);
  });

  it("is not waited for when its object was dropped or rejected", async () => {
    const wiped = async (transfer: Transfer) =>
      (await tablesOf(transfer)).removed?.map((row) => Object.values(row as Record<string, number>)[2]);
    const dropped = await startPack(FILES);
    await batch(dropped.owner, dropped.downloadId, { remove: [1] });
    expect(await wiped(dropped)).toEqual([0]);
    await batch(dropped.owner, dropped.downloadId, { drop: [0] });
    expect(await wiped(dropped)).toEqual([1]);

    const rejected = await startPack(FILES);
    await batch(rejected.owner, rejected.downloadId, { remove: [1] });
    const receipts = (await rejected.sendPack(BYTES)).map((receipt) => ({ ...receipt, crc32: "00000001" }));
    await batch(rejected.owner, rejected.downloadId, { receipts });
    await waitForPhases(rejected, { 0: "rejected" });
    expect(await wiped(rejected)).toEqual([1]);
  });

  it("that does not exist is refused in words", async () => {
    const { owner, downloadId } = await start(FILES);
    expect(await answerOf(sendBatch(owner, downloadId, { remove: [3] }))).toEqual([
      400,
      { code: "BAD_REQUEST", message: "There is no file 3." },
    ]);
  });
});
