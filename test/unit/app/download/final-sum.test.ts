import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { FinalSum } from "#app/features/download/sealed/reader/final-sum.ts";
import type { PlacedFile } from "#app/features/download/sealed/reader/sources.ts";

const FILE: PlacedFile = {
  name: "film.bin",
  size: 6,
  mtime: 0,
  at: 0,
  stream: 0,
  streamBytes: 6,
  url: "/content?follow=1",
  isFollowed: true,
};

async function sumOf(...pieces: string[]): Promise<FinalSum> {
  const sum = (await FinalSum.of({ files: [FILE], isArchive: false })) ?? expect.unreachable();
  for (const piece of pieces) sum.add(new TextEncoder().encode(piece));
  return sum;
}

const listed = createHash("sha256").update("abcdef").digest("hex");

it("takes a file whose pieces have the sum of the final list [SEAL-42]", async () => {
  (await sumOf("abc", "def")).compare(listed);
});

it.each([
  ["damaged", "another sum", listed.replace(/^./, (digit) => (digit === "0" ? "1" : "0"))],
  ["damaged", "a list without the file", ""],
  ["refused", "no list", null],
])("says %s for %s [SEAL-42]", async (problem, _what, sha256) => {
  const sum = await sumOf("abcdef");
  expect(() => {
    sum.compare(sha256);
  }).toThrow(expect.objectContaining({ problem }));
});

it("compares nothing of a file that was complete when it was listed", async () => {
  expect(await FinalSum.of({ files: [{ ...FILE, isFollowed: false }], isArchive: false })).toBeNull();
});
