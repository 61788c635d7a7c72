import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { covers, wholesInArchive } from "#domain/protection/coverage.ts";
import { addRuns, type Run } from "#domain/transfers/runs.ts";
import { layOutZip, type ZipLayout } from "#domain/zip.ts";

function layOut(sizes: number[]): Promise<ZipLayout> {
  return layOutZip(
    sizes.map((sizeBytes, n) => ({
      path: `${n}`,
      sizeBytes,
      crc32: 0,
      modifiedMs: 0,
      object: sizeBytes === 0 ? null : n,
      offset: 0,
    })),
  );
}

/** A header of a name with one character has 40 bytes: 30, the name, and 9 for the date. */
const HEADER = 40;

describe("bytes that were handed over", () => {
  it.each<[Run[], Run, boolean]>([
    [[[0, 10]], [0, 10], true],
    [[[0, 10]], [3, 4], true],
    [[[0, 9]], [0, 10], false],
    [[[1, 9]], [0, 10], false],
    [
      [
        [0, 5],
        [6, 4],
      ],
      [0, 10],
      false,
    ],
    [
      [
        [0, 2],
        [4, 8],
      ],
      [5, 7],
      true,
    ],
    [[], [0, 0], true],
    [[], [0, 1], false],
  ])("%j cover %j: %s", (runs, run, isCovered) => {
    expect(covers(runs, run)).toBe(isCovered);
  });
});

describe("a range of an archive", () => {
  it("names the files that it cuts, the first that it holds whole, and the archive", async () => {
    const layout = await layOut([10, 0, 20, 30, 40]);
    const [first, third, fourth, fifth] = [
      [HEADER, 10],
      [3 * HEADER + 10, 20],
      [4 * HEADER + 30, 30],
      [5 * HEADER + 60, 40],
    ] as const;
    const whole: Run = [0, layout.size];
    expect(wholesInArchive(layout, whole)).toEqual([whole, first]);
    expect(wholesInArchive(layout, [0, HEADER])).toEqual([whole]);
    expect(wholesInArchive(layout, [HEADER + 1, layout.size - HEADER - 1])).toEqual([whole, first, third]);
    expect(wholesInArchive(layout, [HEADER + 5, 5 * HEADER + 61 - HEADER - 5])).toEqual([whole, first, third, fifth]);
    expect(wholesInArchive(layout, [fourth[0] + 1, 5])).toEqual([whole, fourth]);
    expect(wholesInArchive(layout, [layout.directoryStart, 10])).toEqual([whole]);
  });

  it("completes a file if and only if the bytes that were handed over have one whole", async () => {
    const anySizes = fc.array(fc.constantFrom(0, 1, 5, 30), { minLength: 1, maxLength: 6 });
    const anyRange = fc.record({ from: fc.nat(1000), count: fc.integer({ min: 1, max: 300 }), handed: fc.nat(300) });
    await fc.assert(
      fc.asyncProperty(anySizes, fc.array(anyRange, { maxLength: 12 }), async (sizes, ranges) => {
        const layout = await layOut(sizes);
        let had: Run[] = [];
        let isComplete = false;
        for (const { from, count, handed } of ranges) {
          const first = from % layout.size;
          const range: Run = [first, Math.min(count, layout.size - first)];
          had = addRuns(had, [[first, Math.min(handed, range[1])]]);
          isComplete ||= wholesInArchive(layout, range).some((whole) => covers(had, whole));
          expect(isComplete).toBe(hasWholeFile(layout, sizes, had));
        }
      }),
      { numRuns: 500 },
    );
  });
});

function hasWholeFile(layout: ZipLayout, sizes: number[], had: Run[]): boolean {
  const bytes = new Set(had.flatMap(([first, count]) => Array.from({ length: count }, (_, at) => first + at)));
  let at = 0;
  const files = sizes.map((size) => {
    const first = at + HEADER;
    at = first + size;
    return { first, size };
  });
  const isWhole = files.some(
    ({ first, size }) => size > 0 && Array.from({ length: size }, (_, n) => first + n).every((n) => bytes.has(n)),
  );
  return isWhole || bytes.size === layout.size;
}
