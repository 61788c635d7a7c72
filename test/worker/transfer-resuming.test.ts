import { describe, expect, it } from "vitest";
import { startTransfer, textFile } from "../support/transfers.ts";
import { rowOf, signUp } from "../support/worker.ts";

const FILES = [
  textFile("trip/a.txt"),
  textFile("trip/sub/b.txt"),
  textFile("trip/empty.txt", ""),
  textFile("trip/c/", ""),
];

describe("an unfinished transfer", () => {
  it("is resumed by its fingerprint, whatever the title, and with nothing of the batch [TRF-4]", async () => {
    const person = await signUp();
    const fingerprint = "ab".repeat(32);
    const first = await startTransfer(person, FILES, { fingerprint, open: [{ object: 0, runs: [[1, 1]] }] });
    const others = [textFile("other.txt"), ...FILES];
    const more = { fingerprint, title: "Another", open: [{ object: 1, runs: [[0, 1]] }], remove: [1] };
    const second = await startTransfer(person, others, more);
    expect(second).toMatchObject({
      resumed: true,
      uploadId: first.uploadId,
      entries: 4,
      next: { entry: 4, object: 1 },
      stored: [[2, 2]],
      received: [{ object: 0, runs: [[1, 1]], parts: [] }],
      opened: [],
      urls: [],
    });
    expect(await rowOf("select filename, size, entry_count as n from files where id = ?", first.uploadId)).toEqual({
      filename: "trip",
      size: 40,
      n: 4,
    });
    expect(await rowOf("select monthly_transfer_count as n from users where id = ?", person.id)).toEqual({ n: 1 });
    const other = await startTransfer(await signUp(), FILES, { fingerprint });
    expect(other.resumed).toBe(false);
  });
});

describe("the list of unfinished uploads", () => {
  it("names a transfer's fingerprint, with which another device goes on [TRF-4]", async () => {
    const person = await signUp();
    const fingerprint = "cd".repeat(32);
    const { uploadId } = await startTransfer(person, FILES, { fingerprint });
    await startTransfer(person, FILES.slice(0, 1));
    const unfinished = await (await person.fetch("/api/direct-upload/unfinished")).json();
    expect(unfinished).toMatchObject([
      { entries: 1, fingerprint: null },
      { entries: 4, fingerprint },
    ]);
    expect(await startTransfer(person, FILES, { fingerprint })).toMatchObject({ resumed: true, uploadId });
  });
});
