import { expect, it } from "vitest";
import { readIgnoreRules } from "../../../cli/send/collect.ts";

it.each([
  ["*.tmp", "a.tmp", true],
  ["*.tmp", "deep/a.tmp", true],
  ["*.tmp", "a.tmpx", false],
  ["/a.txt", "a.txt", true],
  ["/a.txt", "deep/a.txt", false],
  ["deep/*.txt", "deep/a.txt", true],
  ["deep/*.txt", "deep/er/a.txt", false],
  ["deep/**", "deep/er/a.txt", true],
  ["**/cache/*.bin", "cache/a.bin", true],
  ["**/cache/*.bin", "x/y/cache/a.bin", true],
  ["a?.txt", "ab.txt", true],
  ["a?.txt", "a/.txt", false],
  ["a+(b).txt", "a+(b).txt", true],
  ["# *.txt", "a.txt", false],
  ["*.txt\n!keep.txt", "keep.txt", false],
  ["!keep.txt\n*.txt", "keep.txt", true],
  ["\r\n*.txt\r\n", "a.txt", true],
  ["cache/", "cache", false],
])("with %j the file %j is left out: %j", (text, path, isLeftOut) => {
  expect(readIgnoreRules(text)(path, false)).toBe(isLeftOut);
});

it("leaves out a folder for a pattern that ends in a slash", () => {
  expect(readIgnoreRules("cache/")("deep/cache", true)).toBe(true);
});
