import { describe, expect, it } from "vitest";
import { BatchQueue } from "#engine/transfer/batch-queue.ts";
import { utf8Length } from "#domain/transfers/paths.ts";
import { GIB, KIB, MIB } from "#domain/units.ts";
import type { AnnouncedEntry } from "#domain/wire.ts";

const SHORT = (n: number): AnnouncedEntry => [`folder/${n}.txt`, 10, 0];
const RECEIPT = { part: 1, etag: "e", crc32: "00000000" };

function queueOf(count: number, describeEntry = SHORT): BatchQueue {
  const queue = new BatchQueue(describeEntry);
  queue.announceUpTo(count);
  return queue;
}

function announced(queue: BatchQueue): [from: number | undefined, count: number] {
  const { entries } = queue.take();
  return [entries?.from, entries?.list.length ?? 0];
}

describe("batches", () => {
  it("announce 500 entries each, in order", () => {
    const queue = queueOf(1100);
    expect([announced(queue), announced(queue), announced(queue), announced(queue)]).toEqual([
      [0, 500],
      [500, 500],
      [1000, 100],
      [undefined, 0],
    ]);
    expect(queue.isEmpty).toBe(true);
  });

  it("hold at most 200 KB of entries", () => {
    const queue = queueOf(500, (n) => [`${"ä".repeat(500)}${n}`, GIB, 1_700_000_000_000]);
    const { entries } = queue.take();
    const size = utf8Length(JSON.stringify(entries));
    expect(size).toBeLessThan(200 * KIB);
    expect(size).toBeGreaterThan(190 * KIB);
    expect(queue.take().entries?.from).toBe(entries?.list.length);
  });

  it("stay below 256 KB with everything that they may carry [TRF-49]", () => {
    const queue = queueOf(15_000, (n) => [`${"a".repeat(360)}${n}`, GIB, 1_700_000_000_000]);
    for (let batch = 0; batch < 29; batch += 1) queue.take();
    // Every other entry: a run for each.
    for (let object = 0; object < 24; object += 1) {
      queue.open(
        10_000 + object,
        Array.from({ length: 500 }, (_, n) => 2 * n + 10_000),
        MIB,
      );
    }
    for (let n = 0; n < 200; n += 1) {
      queue.addReceipt({ object: 10_000 + n, part: 10_000, etag: "e".repeat(34), crc32: "0123abcd" });
      queue.addSum(10_000 + n, "0123456789abcdef".repeat(4));
      queue.drop(19_000 + n);
      queue.remove(5_000 + n);
    }
    let carried = 0;
    while (!queue.isEmpty) {
      const batch = queue.take();
      carried += batch.open.length + batch.receipts.length + batch.sums.length + batch.drop.length;
      expect(utf8Length(JSON.stringify(batch))).toBeLessThan(256 * KIB);
    }
    expect(carried).toBe(24 + 3 * 200);
  });

  it("open objects only when their entries are announced", () => {
    const queue = queueOf(600);
    queue.open(0, [0, 1, 499], 10);
    queue.open(1, [498, 500], 10);
    queue.open(2, [2], 10);
    expect(queue.take().open).toEqual([
      {
        object: 0,
        runs: [
          [0, 2],
          [499, 1],
        ],
      },
      { object: 2, runs: [[2, 1]] },
    ]);
    expect(queue.take().open.map(({ object }) => object)).toEqual([1]);
  });

  it("open 24 objects, 6 at the start, and as many as have room for their URLs", () => {
    const opened = (maxOpened: number | undefined, sizeBytes: number) => {
      const queue = queueOf(30);
      for (let n = 0; n < 30; n += 1) queue.open(n, [n], sizeBytes);
      return queue.take(maxOpened).open.length;
    };
    expect([opened(undefined, MIB), opened(6, MIB), opened(undefined, GIB)]).toEqual([24, 6, 6]);
  });

  it("ask for 100 URLs in all", () => {
    const queue = queueOf(0);
    for (const object of [0, 1]) for (let part = 1; part <= 70; part += 1) queue.sign(object, part);
    const counts = () => queue.take().sign.map(({ object, parts }) => [object, parts.length]);
    expect(counts()).toEqual([
      [0, 70],
      [1, 30],
    ]);
    expect(counts()).toEqual([[1, 40]]);
    expect(queue.isEmpty).toBe(true);
  });

  it("bring 200 receipts each, and do not hurry for a few", () => {
    const queue = queueOf(0);
    for (let object = 0; object < 199; object += 1) queue.addReceipt({ object, ...RECEIPT });
    expect([queue.isUrgent, queue.isEmpty, queue.isReadyToFinish]).toEqual([false, false, true]);
    for (let object = 199; object < 201; object += 1) queue.addReceipt({ object, ...RECEIPT });
    expect(queue.isUrgent).toBe(true);
    expect([queue.take().receipts.length, queue.takeReceipts().length]).toEqual([200, 1]);
  });

  it("remove a file before it is announced anew, and one that was never announced right after", () => {
    const queue = queueOf(2);
    queue.take();
    queue.remove(1);
    queue.announceUpTo(4);
    queue.remove(3);
    expect(queue.take()).toMatchObject({ entries: { from: 2 }, remove: [1, 3] });
  });

  it("announce a file that is sent again after the batch that announces and removes the first one", () => {
    const names = ["a", "again", "b", "again"];
    const queue = queueOf(4, (n) => [names[n] ?? "", 10, 0]);
    queue.remove(1);
    expect(queue.take()).toMatchObject({
      entries: {
        from: 0,
        list: [
          ["a", 10, 0],
          ["again", 10, 0],
          ["b", 10, 0],
        ],
      },
      remove: [1],
    });
    expect(queue.take()).toMatchObject({ entries: { from: 3, list: [["again", 10, 0]] }, remove: [] });
  });

  it("announce nothing while more files are to be removed than one batch may", () => {
    const queue = queueOf(300);
    queue.take();
    for (let n = 0; n < 300; n += 1) queue.remove(n);
    queue.announceUpTo(600);
    const first = queue.take();
    expect([first.entries, first.remove.length]).toEqual([undefined, 200]);
    const second = queue.take();
    expect([second.entries?.from, second.remove.length]).toEqual([300, 100]);
  });

  it("announce no more files that are removed than they can remove: the others would count", () => {
    const queue = queueOf(500);
    for (let n = 100; n < 400; n += 1) queue.remove(n);
    const first = queue.take();
    expect([first.entries?.list.length, first.remove.length]).toEqual([300, 200]);
    const second = queue.take();
    expect([second.entries?.from, second.entries?.list.length, second.remove.length]).toEqual([300, 200, 100]);
    expect(queue.hasListChanges).toBe(false);
  });

  it("go on after numbers that another call has announced", () => {
    const queue = queueOf(2);
    queue.take();
    queue.markAnnounced(4);
    expect(queue.isEmpty).toBe(true);
    queue.announceUpTo(5);
    expect(queue.take().entries?.from).toBe(4);
  });

  it("say nothing of a dropped object that was not opened, and end one that was", () => {
    const queue = queueOf(2);
    queue.open(0, [0], 1);
    queue.take();
    queue.open(1, [1], 1);
    queue.addReceipt({ object: 0, ...RECEIPT });
    queue.drop(0);
    queue.drop(1);
    expect(queue.take()).toMatchObject({ open: [], drop: [0], receipts: [] });
  });

  it("forget everything when a transfer is resumed", () => {
    const queue = queueOf(10);
    queue.open(0, [0], 1);
    queue.remove(1);
    queue.restart(20);
    expect([queue.isEmpty, queue.announced]).toEqual([true, 20]);
    queue.announceUpTo(21);
    expect(queue.take().entries?.from).toBe(20);
  });
});
