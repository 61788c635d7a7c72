import { describe, expect, it } from "vitest";
import { blockable, readBlockList, writeBlockList } from "#domain/moderation/block-list.ts";

const A = "a".repeat(64);
const B = "b".repeat(64);
const EMPTY_FILE = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

describe("a list of sums", () => {
  it.each([
    ["one sum a line", `${A}\n${B}`, [A, B], []],
    ["line breaks of every system", `${A}\r\n${B}\r${A}\n`, [A, B], []],
    ["capital letters and spaces", `  ${A.toUpperCase()}  \n`, [A], []],
    ["comments and empty lines", `# sums\n\n${A}\n`, [A], []],
    ["lines that are no sum, by their numbers", `x\n${A}\n\n${A}1\n${A.slice(1)}\n`, [A], [1, 4, 5]],
    ["the sum of an empty file as no sum", `${A}\n${EMPTY_FILE}`, [A], [2]],
    ["nothing", "", [], []],
  ])("is read: %s", (_, text, sums, bad) => {
    const read = readBlockList(text, "police");
    expect([read.sums.map(({ sha256 }) => sha256), read.bad]).toEqual([sums, bad]);
  });

  it("has the label of the line, at most 100 characters of it, else that of the list", () => {
    const { sums } = readBlockList(`${A} ${"x".repeat(101)}\n${B}`, "police");
    expect(sums).toEqual([
      { sha256: A, label: "x".repeat(100) },
      { sha256: B, label: "police" },
    ]);
    expect(readBlockList(writeBlockList(sums), "another").sums).toEqual(sums);
  });

  it("counts lines, without the end of the last one", () => {
    expect(["", "a", "a\n", "a\nb", "\n\n"].map((text) => readBlockList(text, "").lines)).toEqual([0, 1, 1, 2, 2]);
  });
});

it("sums that go onto the list are those that are known, each once, without that of an empty file", () => {
  expect(blockable([A, null, EMPTY_FILE, A, B])).toEqual([A, B]);
});
