import { expect, it } from "vitest";
import type { TransferList } from "#engine/transfer/transfer-list.ts";
import { findPlanProblems } from "#app/features/upload/transfer/plan-problems.ts";
import { GIB, MIB, TIB } from "#domain/units.ts";

function listOf(sizes: number[]): TransferList {
  const entries = sizes.map((sizeBytes, n) => ({ path: `${n}.bin`, file: null, sizeBytes, modifiedMs: 0 }));
  return { entries, bytes: sizes.reduce((sum, size) => sum + size, 0), changedNames: 0, leftOut: 0 };
}

const ones = (count: number) => listOf(Array.from({ length: count }, () => 1));

it("allows what is exactly at the plan's limits", () => {
  expect(findPlanProblems(ones(1000), "free")).toEqual([]);
  expect(findPlanProblems(ones(10_000), "professional")).toEqual([]);
  expect(findPlanProblems(listOf([500 * MIB, 500 * MIB, 500 * MIB, 500 * MIB, 48 * MIB]), "free")).toEqual([]);
  expect(findPlanProblems(listOf([50 * GIB]), "ultimate")).toEqual([]);
});

it("counts files, and says when no plan allows so many", () => {
  expect(findPlanProblems(ones(1001), "free")).toEqual([{ kind: "count", count: 1001, limit: 1000, anyPlan: false }]);
  expect(findPlanProblems(ones(10_001), "free")).toEqual([
    { kind: "count", count: 10_001, limit: 10_000, anyPlan: true },
  ]);
});

it("names files that are too large for the plan, and those too large for any [TRF-52]", () => {
  const list = listOf([1, 500 * MIB + 1, 50 * GIB + 1]);
  const [forAll, forPlan] = findPlanProblems(list, "free");
  expect(forAll).toMatchObject({ kind: "sizes", files: [{ path: "2.bin" }], limitBytes: 50 * GIB, anyPlan: true });
  expect(forPlan).toMatchObject({ kind: "sizes", files: [{ path: "1.bin" }], limitBytes: 500 * MIB, anyPlan: false });
});

it("compares all files together with the month", () => {
  const list = listOf([500 * MIB, 500 * MIB, 500 * MIB, 500 * MIB, 48 * MIB + 1]);
  expect(findPlanProblems(list, "free")).toEqual([{ kind: "month", limitBytes: 2 * GIB, anyPlan: false }]);
  const huge = listOf(Array.from({ length: 21 }, () => 50 * GIB));
  expect(findPlanProblems(huge, "ultimate")).toEqual([{ kind: "month", limitBytes: TIB, anyPlan: true }]);
});
