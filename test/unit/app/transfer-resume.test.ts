import { describe, expect, it } from "vitest";
import { planResume } from "#app/features/upload/engine/transfer/resume-transfer.ts";
import { MIB } from "#domain/units.ts";
import type { ListedEntry } from "#domain/wire.ts";

const DATE = 1_700_000_000_000;

function listed(paths: readonly string[], change: Partial<ListedEntry> = {}): ListedEntry[] {
  return paths.map((path, n) => ({
    n,
    path,
    size: 10,
    modifiedAt: new Date(DATE).toISOString(),
    type: "",
    state: "waiting",
    ...change,
  }));
}

function local(path: string, sizeBytes = 10, modifiedMs = DATE) {
  return { path, file: new File([], path), sizeBytes, modifiedMs };
}

const NONE = { stored: [], received: [] };

function phases(...args: Parameters<typeof planResume>): [path: string, phase: string][] {
  return planResume(...args).known.map(({ path, phase }) => [path, phase]);
}

describe("a resumed transfer", () => {
  it("keeps the server's numbers and removals, and adds what is new", () => {
    const entries = listed(["b.txt", "a.txt", "gone.txt"]);
    entries[2] = { ...entries[2], state: "removed" } as ListedEntry;
    const list = [local("a.txt"), local("b.txt"), local("c.txt"), local("gone.txt")];
    expect(phases(entries, { ...NONE, stored: [[0, 1]] }, list)).toEqual([
      ["b.txt", "stored"],
      ["a.txt", "waiting"],
      ["gone.txt", "removed"],
    ]);
    expect(planResume(entries, NONE, list).added.map(({ path }) => path)).toEqual(["c.txt"]);
  });

  it("finds a file that was announced anew by its later number", () => {
    const entries = listed(["a.txt", "a.txt"]);
    entries[0] = { ...entries[0], state: "removed", size: 9 } as ListedEntry;
    const plan = planResume(entries, NONE, [local("a.txt")]);
    expect([plan.known.map(({ phase }) => phase), plan.added]).toEqual([["removed", "waiting"], []]);
  });

  it("names files that this device lacks, unless they have arrived", () => {
    const received = [{ object: 0, runs: [[2, 1]] as const, parts: [[1, 1]] as const }];
    expect(phases(listed(["a", "b", "c"]), { stored: [[0, 1]], received }, [])).toEqual([
      ["a", "stored"],
      ["b", "unreadable"],
      ["c", "waiting"],
    ]);
  });

  it("names files of another size, stored ones too, and has the new file at hand", () => {
    const plan = planResume(listed(["a", "b"]), { ...NONE, stored: [[1, 1]] }, [local("a", 11), local("b", 11)]);
    expect(plan.known.map(({ phase }) => phase)).toEqual(["changed", "changed"]);
    expect(plan.known[0]?.local?.reload).toBeDefined();
  });

  it("sends a file with another date, but does not go on with parts of it", () => {
    const entries = listed(["small.bin"]);
    expect(phases(entries, NONE, [local("small.bin", 10, 1)])).toEqual([["small.bin", "waiting"]]);
    const large = listed(["large.bin"], { size: 24 * MIB });
    const received = [{ object: 3, runs: [[0, 1]] as const, parts: [[1, 1]] as const }];
    const plan = planResume(large, { stored: [], received }, [local("large.bin", 24 * MIB, 1)]);
    expect(plan.known[0]?.phase).toBe("changed");
    expect([plan.open, plan.drop]).toEqual([[], [3]]);
  });

  it("goes on with parts of large files and with complete objects, and sends other packs anew", () => {
    const entries = listed(["large.bin", "a", "b", "c"]);
    entries[0] = { ...entries[0], size: 24 * MIB } as ListedEntry;
    const received = [
      { object: 4, runs: [[0, 1]] as const, parts: [[2, 1]] as const },
      { object: 5, runs: [[1, 2]] as const, parts: [[1, 1]] as const },
      { object: 6, runs: [[3, 1]] as const, parts: [] },
    ];
    const list = [local("large.bin", 24 * MIB), local("a"), local("b"), local("c")];
    const { open, drop } = planResume(entries, { stored: [], received }, list);
    expect(open).toEqual([
      { object: 4, numbers: [0], parts: [[2, 1]] },
      { object: 5, numbers: [1, 2], parts: [[1, 1]] },
    ]);
    expect(drop).toEqual([6]);
  });
});
