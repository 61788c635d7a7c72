import { describe, expect, it } from "vitest";
import { ObjectPlanner } from "#app/features/upload/engine/transfer/object-planner.ts";
import { planAdditions } from "#app/features/upload/engine/transfer/plan-additions.ts";
import { TransferEntries } from "#app/features/upload/engine/transfer/transfer-entries.ts";
import { KIB, MIB } from "#domain/units.ts";

function planner(sizes: readonly number[]): { entries: TransferEntries; planned: ObjectPlanner } {
  const entries = new TransferEntries(() => 0);
  for (const [index, sizeBytes] of sizes.entries()) entries.add({ path: `${index}`, sizeBytes });
  return { entries, planned: new ObjectPlanner(() => entries.listWaiting()) };
}

function all(planned: ObjectPlanner): number[][] {
  const objects: number[][] = [];
  for (let next = planned.next(); next; next = planned.next()) objects.push(next);
  return objects;
}

describe("objects", () => {
  it("are packs of small files and large files by themselves, in the order of their first files", () => {
    const { planned } = planner([3 * MIB, 17 * MIB, 4 * MIB, 0, 2 * MIB, 9 * MIB]);
    expect(all(planned)).toEqual([[0, 2], [1], [4], [5]]);
  });

  it("are planned anew from what waits", () => {
    const { entries, planned } = planner([MIB, MIB, MIB]);
    entries.setPhase(1, "unreadable");
    planned.invalidate();
    expect(all(planned)).toEqual([[0, 2]]);
  });

  it("are smaller on a slow line", () => {
    const { planned } = planner(Array.from({ length: 16 }, () => 512 * KIB));
    // 128 KiB a second: 8 MiB would take 64 s, 1 MiB takes 8 s.
    expect(planned.measure({ bytes: 8 * MIB, seconds: 64 })).toBe(true);
    expect(all(planned)).toEqual([
      [0, 1],
      [2, 3],
      [4, 5],
      [6, 7],
      [8, 9],
      [10, 11],
      [12, 13],
      [14, 15],
    ]);
    planned.invalidate();
    // 10 KiB a second.
    expect(planned.measure({ bytes: 300 * KIB, seconds: 30 })).toBe(true);
    expect(planned.next()).toEqual([0]);
  });

  it("grow again on a faster line", () => {
    const { planned } = planner(Array.from({ length: 16 }, () => 512 * KIB));
    planned.measure({ bytes: MIB, seconds: 100 });
    expect(planned.measure({ bytes: MIB, seconds: 1 })).toBe(false);
    expect(planned.next()).toHaveLength(16);
  });
});

describe("additions to a running transfer", () => {
  const entry = (path: string) => ({ path, file: new File(["x"], path), sizeBytes: 1, modifiedMs: 0 });

  it("give a taken name a number, and leave removed names free", () => {
    const entries = new TransferEntries(() => 0);
    for (const path of ["a.txt", "b.txt"]) entries.add({ path, sizeBytes: 1 });
    entries.setPhase(1, "removed");
    const { added } = planAdditions(entries, 2, [entry("A.txt"), entry("b.txt"), entry("c.txt")]);
    expect(added.map(({ path }) => path)).toEqual(["A (2).txt", "b.txt", "c.txt"]);
  });

  it("keep the name of a removed file that was not announced", () => {
    const entries = new TransferEntries(() => 0);
    entries.add({ path: "a.txt", sizeBytes: 1 });
    entries.setPhase(0, "removed");
    expect(planAdditions(entries, 0, [entry("a.txt")]).added.map(({ path }) => path)).toEqual(["a (2).txt"]);
  });

  it("take the place of a file that could not be read", () => {
    const entries = new TransferEntries(() => 0);
    entries.add({ path: "a.txt", sizeBytes: 1 }, "unreadable");
    const { added, retried } = planAdditions(entries, 1, [entry("a.txt")]);
    expect([added, retried.map(({ n }) => n)]).toEqual([[], [0]]);
  });
});
