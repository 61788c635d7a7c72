import { describe, expect, it } from "vitest";
import { databaseFill, isOver, reachedWarnings } from "#domain/database-fill.ts";

const GB = 1_000_000_000;
const NOON = Date.UTC(2026, 10, 20, 12);

const fill = (bytes: number, days: [day: string, bytes: number][] = []) =>
  databaseFill(
    bytes,
    10 * GB,
    days.map(([day, size]) => ({ day, bytes: size })),
    NOON,
  );

describe("how full a database is", () => {
  it.each([
    [0, 0, []],
    [5_999_999_999, 59, []],
    [6 * GB, 60, [60]],
    [7_999_999_999, 79, [60]],
    [8 * GB, 80, [60, 80]],
    [11 * GB, 110, [60, 80]],
  ])("with %i of ten billion bytes it is %i %%, and warnings %j are reached [GROW-2]", (bytes, percent, warnings) => {
    expect(fill(bytes)).toMatchObject({ bytes, limitBytes: 10 * GB, percent });
    expect(reachedWarnings(fill(bytes))).toEqual(warnings);
  });

  it.each([
    // Half a gigabyte in the five and a half days since the 15th: four are left, 44 days.
    [
      "grows",
      6 * GB,
      [
        ["2026-11-20", 5.95 * GB],
        ["2026-11-15", 5.5 * GB],
      ],
      44,
    ],
    // Days before the last week do not count: the 13th does.
    [
      "grew otherwise before",
      6 * GB,
      [
        ["2026-11-13", 5.25 * GB],
        ["2026-11-12", 0.1 * GB],
      ],
      40,
    ],
    ["is full", 10 * GB, [["2026-11-19", 9 * GB]], 0],
    ["is beyond its limit", 11 * GB, [["2026-11-19", 9 * GB]], 0],
    ["shrinks", 6 * GB, [["2026-11-15", 7 * GB]], null],
    ["stays", 6 * GB, [["2026-11-15", 6 * GB]], null],
    ["was not known before today", 6 * GB, [["2026-11-20", 1 * GB]], null],
    ["was never known", 6 * GB, [], null],
  ] as [string, number, [string, number][], number | null][])(
    "days are left when it %s",
    (_what, bytes, days, daysLeft) => {
      expect(fill(bytes, days).daysLeft).toBe(daysLeft);
    },
  );

  it("is calm again five percent below a warning", () => {
    expect([isOver(60, { percent: 60 }), isOver(60, { percent: 55 }), isOver(60, { percent: 54 })]).toEqual([
      false,
      false,
      true,
    ]);
  });
});
