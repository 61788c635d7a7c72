import { expect, it } from "vitest";
import { BatchQueue } from "#engine/transfer/batch-queue.ts";
import { SEALED_FORM } from "#engine/transfer/entry-sources.ts";
import { TransferEntries } from "#engine/transfer/transfer-entries.ts";

const receipt = (object: number, entries: number) => ({
  object,
  part: 1,
  etag: "etag",
  crc32: "00000000",
  marks: Array.from({ length: entries }, (_, n) => ({ n, mark: "0123456789abcdef" })),
});

it("the server learns of a sealed entry its number and its sealed size alone", () => {
  const entry = { path: "private/diary.txt", file: new File(["abc"], "diary.txt"), sizeBytes: 3, modifiedMs: 1000 };
  expect(SEALED_FORM.announce(42, entry)).toEqual(["sealed-00042", 31, 0, ""]);
  expect(SEALED_FORM.announce(7, { ...entry, path: "empty/", file: null, sizeBytes: 0 })).toEqual([
    "sealed-00007",
    28,
    0,
    "",
  ]);
});

it("the card shows the size of the file, not that of what is sent", () => {
  const entries = new TransferEntries(() => 0, true);
  const n = entries.add({ path: "large.bin", sizeBytes: SEALED_FORM.sentBytes(600_000) });
  expect([entries.sizeBytes(n), entries.fileBytes(n)]).toEqual([600_084, 600_000]);
});

it("receipts with many marks go in several batches, and at once", () => {
  const queue = new BatchQueue(() => ["sealed-00000", 28, 0, ""]);
  for (const [object, entries] of [300, 200, 1, 500].entries()) queue.addReceipt(receipt(object, entries));
  expect([queue.isUrgent, queue.isReadyToFinish]).toEqual([true, false]);
  const batches = [queue.take(), queue.take(), queue.take()].map(({ receipts }) =>
    receipts.map(({ object }) => object),
  );
  expect(batches).toEqual([[0, 1], [2], [3]]);
  expect(queue.isEmpty).toBe(true);
});
