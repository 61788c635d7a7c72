import { describe, expect, it } from "vitest";
import { layOutSegments, objectSizes, objectsOf, planSegments, stretchesIn, stretchesOf } from "#domain/segments.ts";

const MIB = 1024 * 1024;
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

describe("the segments of a file", () => {
  it("add up, begin and end with one part, and are at most 120, each a hundredth of the parts at most [FOL-1]", () => {
    for (let parts = 8; parts <= 3200; parts += 1) {
      const segments = planSegments(parts);
      expect([sum(segments), segments[0], segments.at(-1)]).toEqual([parts, 1, 1]);
      expect(Math.min(...segments)).toBe(1);
      expect(Math.max(...segments)).toBeLessThanOrEqual(Math.ceil(parts / 100));
      expect(segments.length).toBeLessThanOrEqual(120);
    }
  });

  it.each([
    [1, [1]],
    [60, Array.from({ length: 60 }, () => 1)],
    [101, [1, 1, ...Array.from({ length: 48 }, () => 2), 1, 1, 1]],
  ])("of %i parts are as expected", (parts, segments) => {
    expect(planSegments(parts)).toEqual(segments);
  });

  it.each([
    ["500 MB in 8 MiB", 60, 60],
    ["10 GB in 16 MiB", 597, 107],
    ["50 GB in 16 MiB", 2981, 116],
    ["50 GB in 8 MiB", 5961, 120],
    ["the most parts of R2", 10_000, 123],
  ])("of %s: %i parts are %i segments", (_file, parts, segments) => {
    expect(planSegments(parts)).toHaveLength(segments);
  });
});

describe("the layout of a file", () => {
  it("is short, and its last object ends where the file ends", () => {
    const layout = layOutSegments(500_000_000, { partSizeBytes: 8 * MIB, partCount: 60 });
    expect(layout).toEqual([
      [59, 8 * MIB],
      [1, 500_000_000 - 59 * 8 * MIB],
    ]);
    const large = layOutSegments(10_000_000_000, { partSizeBytes: 16 * MIB, partCount: 597 });
    expect(sum(objectSizes(large))).toBe(10_000_000_000);
    expect(large).toHaveLength(9);
  });

  it("says for each range where its bytes are", () => {
    const layout = [
      [2, 3],
      [1, 5],
    ] as const;
    const bytes = [
      ...layout.flatMap(([count, length]) => Array.from({ length: count }, () => length)).entries(),
    ].flatMap(([object, length]) => Array.from({ length }, (_, offset) => `${object}:${offset}`));
    for (let from = 0; from < 11; from += 1) {
      for (let to = from; to <= 11; to += 1) {
        const found = [...stretchesIn(layout, from, to)].flatMap(({ object, offset, length }) =>
          Array.from({ length }, (_, at) => `${object}:${offset + at}`),
        );
        expect(found).toEqual(bytes.slice(from, to));
      }
    }
    expect([...stretchesIn(layout, 2, 7)]).toEqual([
      { object: 0, offset: 2, length: 1 },
      { object: 1, offset: 0, length: 3 },
      { object: 2, offset: 0, length: 1 },
    ]);
  });
});

describe("a file that shares its numbered objects with others", () => {
  const LAYOUT = [
    [2, 4],
    [1, 3],
  ] as const;

  it("is read from its own objects when it is in segments", () => {
    const placed = { object: 7, offset: 0, layout: LAYOUT };
    expect(objectsOf(placed)).toEqual([7, 8, 9]);
    expect([...stretchesOf(placed, 3, 10)]).toEqual([
      { object: 7, offset: 3, length: 1 },
      { object: 8, offset: 0, length: 4 },
      { object: 9, offset: 0, length: 2 },
    ]);
    expect([...stretchesOf(placed, 5, 5)]).toEqual([]);
  });

  it("is read from its place in an object that it shares", () => {
    const placed = { object: 7, offset: 100 };
    expect(objectsOf(placed)).toEqual([7]);
    expect([...stretchesOf(placed, 3, 10)]).toEqual([{ object: 7, offset: 103, length: 7 }]);
    expect([...stretchesOf(placed, 3, 3)]).toEqual([]);
  });

  it("has no object without bytes", () => {
    const placed = { object: null, offset: 0 };
    expect([objectsOf(placed), [...stretchesOf(placed, 0, 0)]]).toEqual([[], []]);
  });
});
