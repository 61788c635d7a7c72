import { expect, it } from "vitest";
import { StaggeredBegin } from "#engine/concurrency.ts";

/** Bytes after which each of the first parts may begin. */
function beginnings(begin: StaggeredBegin, count: number, fromBytes = 0): number[] {
  return Array.from({ length: count }, () => {
    let sent = fromBytes;
    while (!begin.allows(sent)) sent += 1;
    begin.count();
    return sent;
  });
}

it("each of the first parts begins when the part before has sent a quarter, and the others when a place is free", () => {
  const begin = new StaggeredBegin(800, 4, 0);
  expect(beginnings(begin, 4)).toEqual([0, 200, 600, 1200]);
  expect(begin.isOver).toBe(true);
  expect(begin.allows(0)).toBe(true);
});

it("a resumed upload counts from what it already had", () => {
  expect(beginnings(new StaggeredBegin(800, 4, 5000), 3, 5000)).toEqual([5000, 5200, 5600]);
});

/** Sends parts of 600 bytes over a line that all parts share fairly. @returns the bytes sent when each part has ended */
function endings(limit: number, count: number): number[] {
  const begin = new StaggeredBegin(600, limit, 0);
  const left: number[] = [];
  const ends: number[] = [];
  for (let sent = 0; ends.length < count; sent += 1) {
    while (left.length < limit && (left.length === 0 || begin.allows(sent))) {
      begin.count();
      left.push(600);
    }
    for (const [at, bytes] of left.entries()) left[at] = bytes - 1 / left.length;
    if ((left[0] ?? 0) < 1e-6) {
      left.shift();
      ends.push(sent + 1);
    }
  }
  return ends;
}

it("on a fair line, six parts end one part's time after each other, the first after three and a half", () => {
  const ends = endings(6, 12);
  expect(ends[0]).toBeGreaterThanOrEqual(2100);
  expect(ends[0]).toBeLessThanOrEqual(2110);
  for (const [at, end] of ends.entries()) expect(Math.abs(end - (ends[0] ?? 0) - 600 * at)).toBeLessThanOrEqual(10);
});
