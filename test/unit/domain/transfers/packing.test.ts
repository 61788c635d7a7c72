import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextPackBytes, packEntries } from "#engine/transfer/object-planner.ts";

const KB = 1024;
const MB = 1024 ** 2;

const sized = (...sizes: number[]) => sizes.map((size, n) => ({ n, size }));

describe("packing", () => {
  it.each([
    [sized(), { packs: [], large: [], empty: [] }],
    [sized(0, 1, 0, 2), { packs: [[1, 3]], large: [], empty: [0, 2] }],
    [sized(8 * MB, 1), { packs: [[0], [1]], large: [], empty: [] }],
    [sized(8 * MB - 1, 1, 1), { packs: [[0, 1], [2]], large: [], empty: [] }],
    [sized(1, 8 * MB + 1, 1), { packs: [[0, 2], [1]], large: [], empty: [] }],
    [sized(16 * MB, 16 * MB + 1), { packs: [[0]], large: [1], empty: [] }],
  ])("of %j", (entries, packing) => {
    expect(packEntries(entries)).toEqual(packing);
  });

  it("puts at most 500 files into a pack", () => {
    const { packs } = packEntries(Array.from({ length: 1001 }, (_, n) => ({ n, size: 1 })));
    expect(packs.map((pack) => pack.length)).toEqual([500, 500, 1]);
  });

  it.each([8 * MB, MB, 256 * KB])("into %d bytes holds every entry once, and no pack is above the limits", (most) => {
    const anySize = fc.oneof(
      fc.constantFrom(0, 1, 256 * KB, 256 * KB + 1, MB, 8 * MB, 8 * MB + 1, 16 * MB, 16 * MB + 1),
      fc.nat(300 * KB),
      fc.nat(40 * MB),
    );
    fc.assert(
      fc.property(fc.array(anySize, { maxLength: 200 }), (sizes) => {
        const { packs, large, empty } = packEntries(sized(...sizes), most);
        const all = [...packs.flat(), ...large, ...empty];
        expect(all.toSorted((a, b) => a - b)).toEqual(sizes.map((_, n) => n));
        for (const pack of packs) {
          const bytes = pack.reduce((sum, n) => sum + (sizes[n] ?? 0), 0);
          expect(bytes).toBeLessThanOrEqual(pack.length === 1 ? 16 * MB : most);
          expect(bytes).toBeGreaterThan(0);
          expect(pack.length).toBeLessThanOrEqual(500);
          expect(pack).toEqual(pack.toSorted((a, b) => a - b));
        }
        for (const n of large) expect(sizes[n]).toBeGreaterThan(16 * MB);
        for (const n of empty) expect(sizes[n]).toBe(0);
      }),
    );
  });
});

describe("the size of the next pack", () => {
  it.each([
    [8 * MB, { bytes: 8 * MB, seconds: 30 }, 8 * MB],
    [8 * MB, { bytes: 8 * MB, seconds: 30.1 }, MB],
    [8 * MB, { bytes: 8 * MB, seconds: 240 }, MB],
    [8 * MB, { bytes: 8 * MB, seconds: 241 }, 256 * KB],
    [8 * MB, { bytes: 8 * MB, seconds: 10_000 }, 256 * KB],
    [MB, { bytes: MB, seconds: 1 }, 8 * MB],
    [256 * KB, { bytes: 256 * KB, seconds: 5 }, MB],
    [MB, { bytes: 256 * KB - 1, seconds: 1000 }, MB],
    [8 * MB, { bytes: 8 * MB, seconds: 0 }, 8 * MB],
  ])("after %d bytes and %j is %d", (current, sent, next) => {
    expect(nextPackBytes(current, sent)).toBe(next);
  });
});
