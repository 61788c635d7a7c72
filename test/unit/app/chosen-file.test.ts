import { describe, expect, it } from "vitest";
import { findSizeProblem, needsAccount } from "#app/features/upload/use-upload-card.ts";

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

describe("a chosen file", () => {
  it.each([
    [0, "free", null],
    [500 * MIB, "free", null],
    [500 * MIB + 1, "free", "over-free-limit"],
    [50 * GIB, "free", "over-free-limit"],
    [50 * GIB + 1, "free", "over-maximum"],
    [10 * GIB, "professional", null],
    [50 * GIB, "ultimate", null],
    [50 * GIB + 1, "ultimate", "over-maximum"],
  ] as const)("of %d bytes on the plan %s has the size problem %s", (size, plan, fault) => {
    expect(findSizeProblem({ size }, plan)).toBe(fault);
  });

  it.each([0, 1, 500 * MIB, 500 * MIB + 1, 50 * GIB + 1])(
    "of %d bytes needs an account if anonymous uploads are off [UP-11]",
    (size) => {
      expect(needsAccount({ size }, false)).toBe(true);
    },
  );

  it.each([
    [0, false],
    [500 * MIB, false],
    [500 * MIB + 1, true],
    [50 * GIB + 1, true],
  ])("of %d bytes needs an account if anonymous uploads are on: %s", (size, needed) => {
    expect(needsAccount({ size }, true)).toBe(needed);
  });
});
