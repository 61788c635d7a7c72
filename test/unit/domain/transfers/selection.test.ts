import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatPick, parsePick } from "#domain/transfers/selection.ts";

describe("a selection of entries", () => {
  it("returns the numbers that it was made of, ascending", () => {
    const anyNumbers = fc.uniqueArray(fc.nat(9999), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(anyNumbers, (numbers) => {
        const pick = formatPick(numbers);
        expect(parsePick(pick, 10_000)).toEqual(numbers.toSorted((a, b) => a - b));
        expect(parsePick(pick, Math.max(...numbers) + 1)).not.toBeNull();
        expect(parsePick(pick, Math.max(...numbers))).toBeNull();
      }),
    );
  });

  it("of all of 10,000 entries has 1,667 characters", () => {
    expect(formatPick(Array.from({ length: 10_000 }, (_, number) => number))).toHaveLength(1667);
  });

  it.each([
    ["AQ", 1, [0]],
    ["AQ", 8, [0]],
    ["gA", 8, [7]],
    ["AAE", 9, [8]],
    ["AQA", 9, [0]],
    ["AQA", 16, [0]],
  ])("%j of %d entries is %j", (text, count, numbers) => {
    expect(parsePick(text, count)).toEqual(numbers);
  });

  it.each([
    ["", 8],
    ["AA", 8],
    ["AQA", 8],
    ["Ag", 1],
    ["AQ==", 8],
    ["A", 8],
    ["!!", 8],
    ["AQ", 0],
  ])("%j of %d entries is refused", (text, count) => {
    expect(parsePick(text, count)).toBeNull();
  });
});
