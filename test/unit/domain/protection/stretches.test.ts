import { describe, expect, it } from "vitest";
import { cutIntoStretches } from "#domain/protection/coverage.ts";

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

describe("a range of a limited link", () => {
  it.each([
    ["nothing", 0, 1, 0],
    ["one byte", 1, 1, 1],
    ["one MiB", MIB, 1, MIB],
    ["one MiB and a byte", MIB + 1, 2, MIB],
    ["16 MiB", 16 * MIB, 16, MIB],
    ["1 GiB", GIB, 16, 64 * MIB],
    ["10 GiB", 10 * GIB, 160, 64 * MIB],
    ["50 GiB", 50 * GIB, 200, 256 * MIB],
  ])("of %s is cut into stretches", (_what, length, count, size) => {
    const stretches = cutIntoStretches(7, length);
    expect([stretches.length, stretches[0]]).toEqual([count, { offset: 7, length: size }]);
  });

  it.each([0, 1, 5 * MIB + 3, 3 * GIB + 1, 12.5 * GIB, 12.5 * GIB + 1, 99 * GIB + 17])(
    "of %i bytes is covered without a gap, in at most 200",
    (length) => {
      const stretches = cutIntoStretches(100, length);
      let at = 100;
      for (const { offset, length: size } of stretches) {
        expect(offset).toBe(at);
        at += size;
      }
      expect(at).toBe(100 + length);
      expect(stretches.length).toBeLessThanOrEqual(200);
    },
  );
});
