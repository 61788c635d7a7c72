import { describe, expect, it } from "vitest";
import { byteTicks, countTicks } from "#app/features/admin/chart-card.tsx";
import { formatBytes, GIB, KIB, MIB, TIB } from "#domain/units.ts";

const sizes = (most: number) =>
  byteTicks(most)
    .map((bytes) => formatBytes(bytes, "en"))
    .join(", ");

describe("the marks beside a chart", () => {
  it.each([
    [0, "0 Bytes, 1 Bytes"],
    [3, "0 Bytes, 1 Bytes, 2 Bytes, 3 Bytes"],
    [700, "0 Bytes, 200 Bytes, 400 Bytes, 600 Bytes, 800 Bytes"],
    [900, "0 Bytes, 256 Bytes, 512 Bytes, 768 Bytes, 1 KB"],
    [37.5 * KIB, "0 Bytes, 10 KB, 20 KB, 30 KB, 40 KB"],
    [1.9 * MIB, "0 Bytes, 512 KB, 1 MB, 1.5 MB, 2 MB"],
    [4 * GIB, "0 Bytes, 1 GB, 2 GB, 3 GB, 4 GB"],
    [4 * GIB + 1, "0 Bytes, 2 GB, 4 GB, 6 GB"],
    [18.63 * GIB, "0 Bytes, 5 GB, 10 GB, 15 GB, 20 GB"],
    [75 * GIB, "0 Bytes, 20 GB, 40 GB, 60 GB, 80 GB"],
    [3 * TIB, "0 Bytes, 1 TB, 2 TB, 3 TB"],
    [5000 * TIB, "0 Bytes, 2 PB, 4 PB, 6 PB"],
  ])("of bytes up to %d are %s", (most, expected) => {
    expect(sizes(most)).toBe(expected);
  });

  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [5, [0, 2, 4, 6]],
    [37, [0, 10, 20, 30, 40]],
    [41, [0, 20, 40, 60]],
    [1900, [0, 500, 1000, 1500, 2000]],
    [1_000_001, [0, 500_000, 1_000_000, 1_500_000]],
  ])("of a count up to %d are %j", (most, expected) => {
    expect(countTicks(most)).toEqual(expected);
  });

  it("reach what is highest, with at most four steps", () => {
    for (let most = 0.3; most < 1e17; most *= 1.37) {
      for (const ticks of [byteTicks(most), countTicks(most)]) {
        expect(ticks.length).toBeLessThanOrEqual(5);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(most);
        expect(ticks.at(-2)).toBeLessThan(most);
      }
    }
  });
});
