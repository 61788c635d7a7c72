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

it("the first parts begin spread over the length of one, and the others when a place is free", () => {
  const begin = new StaggeredBegin(800, 4, 0);
  expect(beginnings(begin, 4)).toEqual([0, 200, 400, 600]);
  expect(begin.isOver).toBe(true);
  expect(begin.allows(0)).toBe(true);
});

it("a resumed upload counts from what it already had", () => {
  expect(beginnings(new StaggeredBegin(800, 4, 5000), 3, 5000)).toEqual([5000, 5200, 5400]);
});
