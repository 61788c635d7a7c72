import { describe, expect, it } from "vitest";
import { estimateTimeLeftMs, addProgressSample, type ProgressSample } from "#domain/arrival-estimate.ts";

function seen(...heard: [at: number, percent: number][]): readonly ProgressSample[] {
  return heard.reduce<readonly ProgressSample[]>(
    (sofar, [at, percent]) => addProgressSample(sofar, { at, percent }),
    [],
  );
}

describe("how long an upload will still take, for those who watch it", () => {
  it.each<[string, [number, number][], number, number | null]>([
    ["nothing has been heard", [], 0, null],
    ["one percentage says nothing", [[0, 10]], 0, null],
    [
      "two within two seconds say nothing",
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
      "and it counts down until more is heard",
      [
        [0, 10],
        [10_000, 20],
      ],
      15_000,
      75_000,
    ],
    [
      "but not below nothing",
      [
        [0, 10],
        [10_000, 20],
      ],
      90_000,
      null,
    ],
    [
      "everything is there",
      [
        [0, 90],
        [10_000, 100],
      ],
      10_000,
      null,
    ],
    [
      "what comes late or twice changes nothing",
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
      "only the last half minute counts",
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
      "however slow, the last two tell something",
      [
        [0, 1],
        [100_000, 2],
      ],
      100_000,
      9_800_000,
    ],
  ])("%s", (_what, heard, now, leftMs) => {
    expect(estimateTimeLeftMs(seen(...heard), now)).toBe(leftMs);
  });

  it("remembers half a minute and no more, however often it hears", () => {
    const heard = Array.from({ length: 1000 }, (_, index): [number, number] => [index * 500, index / 10]);
    expect(seen(...heard).length).toBeLessThanOrEqual(61);
  });
});
