import { describe, expect, it } from "vitest";
import { reconnectWaitMs } from "#domain/reconnect.ts";

/** Numbers from 0 to 1 that look random and are the same in each run (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @returns the largest number of times that lie within one second */
function mostInASecond(timesMs: number[]): number {
  const sorted = timesMs.toSorted((one, other) => one - other);
  let first = 0;
  let most = 0;
  for (const [index, at] of sorted.entries()) {
    while (at - (sorted[first] ?? 0) >= 1000) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

describe("the wait before a socket is opened again", () => {
  it.each([
    [0, 1000, 15_000],
    [1, 2000, 30_000],
    [2, 4000, 30_000],
    [3, 8000, 30_000],
    [4, 15_000, 30_000],
    [5000, 15_000, 30_000],
  ])("is random, and grows: after %i failed attempts from %i to %i ms [API-30]", (failed, least, most) => {
    expect(reconnectWaitMs(failed, 0)).toBe(least);
    expect(reconnectWaitMs(failed, 0.5)).toBe((least + most) / 2);
    expect(Math.round(reconnectWaitMs(failed, 1 - Number.EPSILON))).toBe(most);
  });

  it("brings back at most 850 of 10,000 pages in any second after all were cut off at once [API-30]", () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const random = randomNumbers(seed);
      const timesMs = Array.from({ length: 10_000 }, () => reconnectWaitMs(0, random()));
      expect(mostInASecond(timesMs)).toBeLessThanOrEqual(850);
      // Nor while the server stays away: each attempt fails at once.
      const secondTimesMs = timesMs.map((at) => at + reconnectWaitMs(1, random()));
      expect(mostInASecond(secondTimesMs)).toBeLessThanOrEqual(850);
    }
  });
});
