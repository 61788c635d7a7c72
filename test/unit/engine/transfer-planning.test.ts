import { describe, expect, it } from "vitest";
import { KIB, MIB } from "#domain/units.ts";
import { planAdditions } from "#engine/transfer/entry-changes.ts";
import { EntrySources } from "#engine/transfer/entry-sources.ts";
import { ObjectPlanner } from "#engine/transfer/object-planner.ts";
import { TransferEntries } from "#engine/transfer/transfer-entries.ts";

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
  const entry = (path: string, modifiedMs = 0) => ({ path, file: new File(["x"], path), sizeBytes: 1, modifiedMs });

  function transferOf(...paths: string[]) {
    const entries = new TransferEntries(() => 0);
    const sources = new EntrySources();
    for (const path of paths) sources.set(entries.add({ path, sizeBytes: 1 }), entry(path));
    return { entries, sources };
  }

  function pathsOfAdded({ entries, sources }: ReturnType<typeof transferOf>, ...added: string[]): string[] {
    const list = added.map((path) => entry(path, 1000));
    return planAdditions(entries, sources, list).added.map(({ path }) => path);
  }

  it("give a taken name a number, and leave removed names free", () => {
    const transfer = transferOf("a.txt", "b.txt");
    transfer.entries.setPhase(1, "removed");
    expect(pathsOfAdded(transfer, "A.txt", "b.txt", "c.txt")).toEqual(["A (2).txt", "b.txt", "c.txt"]);
  });

  it("take the place of a file that could not be read", () => {
    const { entries, sources } = transferOf("a.txt");
    entries.setPhase(0, "unreadable");
    const { added, retried } = planAdditions(entries, sources, [entry("a.txt")]);
    expect([added, retried.map(({ n }) => n)]).toEqual([[], [0]]);
  });

  it("leave out the same file by path, size and date", () => {
    const { entries, sources } = transferOf("a.txt", "b.txt");
    const { added } = planAdditions(entries, sources, [entry("a.txt"), entry("b.txt", 1000)]);
    expect(added.map(({ path }) => path)).toEqual(["b (2).txt"]);
  });

  it("give a folder with the name of a file a number, the same for all of its files", () => {
    const transfer = transferOf("photos", "Deep/er", "photos (2)/x.jpg");
    expect(
      pathsOfAdded(transfer, "photos/a.jpg", "Photos/b/c.jpg", "deep/er/d.jpg", "deep/other.txt", "photos/empty/"),
    ).toEqual(["photos (3)/a.jpg", "photos (3)/b/c.jpg", "deep/er (2)/d.jpg", "deep/other.txt", "photos (3)/empty/"]);
  });

  it("give an empty folder with the name of a file a number, and a file with the name of a folder", () => {
    expect(pathsOfAdded(transferOf("photos", "music/a.mp3"), "photos/", "music")).toEqual(["photos (2)/", "music (2)"]);
  });
});
