import { describe, expect, it } from "vitest";
import {
  addProgressSample,
  estimateTimeLeftMs,
  isSenderSilent,
  type ProgressSample,
} from "#domain/arrival-estimate.ts";

function samplesOf(...values: [at: number, percent: number][]): readonly ProgressSample[] {
  return values.reduce<readonly ProgressSample[]>(
    (samples, [at, percent]) => addProgressSample(samples, { at, percent }),
    [],
  );
}

describe("an upload's remaining time, for people who watch it", () => {
  it.each<[string, [number, number][], number, number | null]>([
    ["no sample", [], 0, null],
    ["one sample is not enough", [[0, 10]], 0, null],
    [
      "two samples within two seconds are not enough",
      [
        [0, 10],
        [1999, 12],
      ],
      1999,
      null,
    ],
    [
      "ten percent in ten seconds",
      [
        [0, 10],
        [10_000, 20],
      ],
      10_000,
      80_000,
    ],
    [
      "the estimate counts down until the next sample",
      [
        [0, 10],
        [10_000, 20],
      ],
      15_000,
      75_000,
    ],
    [
      "the estimate never becomes negative",
      [
        [0, 10],
        [10_000, 20],
      ],
      90_000,
      null,
    ],
    [
      "the upload is at 100 percent",
      [
        [0, 90],
        [10_000, 100],
      ],
      10_000,
      null,
    ],
    [
      "late and repeated samples are ignored",
      [
        [0, 10],
        [5000, 5],
        [6000, 10],
        [10_000, 20],
      ],
      10_000,
      80_000,
    ],
    [
      "only samples of the last 30 seconds count",
      [
        [0, 0],
        [1000, 50],
        [40_000, 60],
        [60_000, 70],
      ],
      60_000,
      60_000,
    ],
    [
      "a slow upload is estimated from its last two samples",
      [
        [0, 1],
        [100_000, 2],
      ],
      100_000,
      9_800_000,
    ],
  ])("%s", (_what, values, now, leftMs) => {
    expect(estimateTimeLeftMs(samplesOf(...values), now)).toBe(leftMs);
  });

  it("keeps samples of 30 seconds only, however many arrive", () => {
    const values = Array.from({ length: 1000 }, (_, index): [number, number] => [index * 500, index / 10]);
    expect(samplesOf(...values).length).toBeLessThanOrEqual(61);
  });
});

describe("a sender who seems to have stopped, for people whose download follows [FOL-10]", () => {
  const fast: [number, number][] = [
    [0, 10],
    [10_000, 20],
  ];
  const slow: [number, number][] = [
    [0, 10],
    [80_000, 11],
  ];
  it.each<[string, [number, number][], number, boolean]>([
    ["nothing is known yet", [], 600_000, false],
    ["one percentage says nothing for a minute", [[0, 10]], 60_000, false],
    ["one percentage says it after a minute", [[0, 10]], 60_001, true],
    ["a percent a second, silent for 20 seconds", fast, 30_000, false],
    ["a percent a second, silent for longer", fast, 30_001, true],
    ["a percent in 80 seconds, silent for four minutes", slow, 320_000, false],
    ["a percent in 80 seconds, silent for longer", slow, 320_001, true],
  ])("%s", (_, values, now, expected) => {
    expect(isSenderSilent(samplesOf(...values), now)).toBe(expected);
  });
});
