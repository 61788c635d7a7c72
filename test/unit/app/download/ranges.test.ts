import { expect, it } from "vitest";
import { answerRange, readRange } from "#app/features/download/sealed/stream/ranges.ts";

it.each([
  [null, null],
  ["bytes=0-", { from: 0, to: 1000 }],
  ["bytes=10-19", { from: 10, to: 20 }],
  ["bytes=990-2000", { from: 990, to: 1000 }],
  ["bytes=-100", { from: 900, to: 1000 }],
  ["bytes=-5000", { from: 0, to: 1000 }],
  ["bytes=1000-", "unsatisfiable"],
  ["bytes=20-10", "unsatisfiable"],
  ["bytes=0-1,5-6", null],
  ["lines=1-2", null],
])("reads the range %s of 1000 bytes", (header, expected) => {
  expect(readRange(header, 1000)).toEqual(expected);
});

it("answers a range with at most as much as one answer may have", () => {
  expect(answerRange({ from: 100, to: 1000 }, 1000, 64)).toEqual({ status: 206, from: 100, to: 164 });
  expect(answerRange({ from: 990, to: 1000 }, 1000, 64)).toEqual({ status: 206, from: 990, to: 1000 });
  expect(answerRange(null, 1000, 64)).toEqual({ status: 200, from: 0, to: 1000 });
});
