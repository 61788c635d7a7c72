import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addRuns,
  containsNumber,
  countNumbers,
  toNumbers,
  toRuns,
  toRunsInOrder,
  type Run,
} from "#domain/transfers/runs.ts";

const anyNumbers = fc.array(fc.nat(60), { maxLength: 60 });
const ascending = (numbers: Iterable<number>) => [...new Set(numbers)].sort((a, b) => a - b);

describe("runs of numbers", () => {
  it.each<[number[], Run[]]>([
    [[], []],
    [[0], [[0, 1]]],
    [[0, 1, 2], [[0, 3]]],
    [
      [5, 2, 1, 2, 9],
      [
        [1, 2],
        [5, 1],
        [9, 1],
      ],
    ],
  ])("%j is %j", (numbers, runs) => {
    expect(toRuns(numbers)).toEqual(runs);
  });

  it("hold exactly the numbers, ascending and apart", () => {
    fc.assert(
      fc.property(anyNumbers, (numbers) => {
        const runs = toRuns(numbers);
        expect(toNumbers(runs)).toEqual(ascending(numbers));
        expect(countNumbers(runs)).toBe(new Set(numbers).size);
        for (const [index, [first]] of runs.entries()) {
          const before = runs[index - 1];
          if (before) expect(first).toBeGreaterThan(before[0] + before[1]);
        }
      }),
    );
  });

  it("contain a number if and only if it was put in", () => {
    fc.assert(
      fc.property(anyNumbers, fc.nat(70), (numbers, number) => {
        expect(containsNumber(toRuns(numbers), number)).toBe(numbers.includes(number));
      }),
    );
  });

  it("of two lists hold what is in either, however they overlap", () => {
    fc.assert(
      fc.property(anyNumbers, anyNumbers, (some, others) => {
        const both = toRuns([...some, ...others]);
        expect(addRuns(toRuns(some), toRuns(others))).toEqual(both);
        expect(addRuns(toRunsInOrder(some), toRunsInOrder(others))).toEqual(both);
      }),
    );
  });

  it("leave empty runs out when they are added", () => {
    expect(addRuns([[3, 0]], [[1, 1]])).toEqual([[1, 1]]);
  });

  it("keep the order of an object's bytes when they are asked to", () => {
    const orders = fc.uniqueArray(fc.nat(60), { maxLength: 60 });
    fc.assert(
      fc.property(orders, (numbers) => {
        expect(toNumbers(toRunsInOrder(numbers))).toEqual(numbers);
      }),
    );
    expect(toRunsInOrder([7, 8, 1, 0])).toEqual([
      [7, 2],
      [1, 1],
      [0, 1],
    ]);
  });
});
