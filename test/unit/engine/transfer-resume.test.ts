import { describe, expect, it } from "vitest";
import { wasmHashers } from "#app/lib/hashing/wasm-hashers.ts";
import { planResume } from "#engine/transfer/resume-transfer.ts";
import { findSameBytes } from "#engine/transfer/same-bytes.ts";
import type { TransferListEntry } from "#engine/transfer/transfer-list.ts";
import { ByteReader } from "#engine/transfer/read-bytes.ts";
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

function local(path: string, sizeBytes = 10, modifiedMs = DATE): TransferListEntry {
  return { path, file: new File([], path), sizeBytes, modifiedMs };
}

const NONE = { stored: [], received: [] };

type Kept = Parameters<typeof planResume>[1];

function plan(entries: ListedEntry[], kept: Kept, list: TransferListEntry[], sameBytes: number[] = []) {
  return planResume(entries, kept, list, new Set(sameBytes));
}

function phases(...args: Parameters<typeof plan>): [path: string, phase: string][] {
  return plan(...args).known.map(({ path, phase }) => [path, phase]);
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
    expect(plan(entries, NONE, list).added.map(({ path }) => path)).toEqual(["c.txt"]);
  });

  it("finds a file that was announced anew by its later number", () => {
    const entries = listed(["a.txt", "a.txt"]);
    entries[0] = { ...entries[0], state: "removed", size: 9 } as ListedEntry;
    const { known, added } = plan(entries, NONE, [local("a.txt")]);
    expect([known.map(({ phase }) => phase), added]).toEqual([["removed", "waiting"], []]);
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
    const list = [local("a", 11), local("b", 11)];
    const { known } = plan(listed(["a", "b"]), { ...NONE, stored: [[1, 1]] }, list);
    expect(known.map(({ phase, hasArrived }) => [phase, hasArrived])).toEqual([
      ["changed", false],
      ["changed", true],
    ]);
    expect(known[0]?.local).toBe(list[0]);
  });

  it("names files that have arrived and have another date here, unless their bytes are the same", () => {
    const received = [{ object: 0, runs: [[2, 1]] as const, parts: [[1, 1]] as const }];
    const kept = { stored: [[0, 2]] as const, received };
    const list = ["a", "b", "c"].map((path) => local(path, 10, DATE + 2000));
    expect(phases(listed(["a", "b", "c"]), kept, list, [1])).toEqual([
      ["a", "changed"],
      ["b", "stored"],
      ["c", "changed"],
    ]);
  });

  it("sends a file with another date, but does not go on with parts of it", () => {
    const entries = listed(["small.bin"]);
    expect(phases(entries, NONE, [local("small.bin", 10, 1)])).toEqual([["small.bin", "waiting"]]);
    const large = listed(["large.bin"], { size: 24 * MIB });
    const received = [{ object: 3, runs: [[0, 1]] as const, parts: [[1, 1]] as const }];
    const { known, open, drop } = plan(large, { stored: [], received }, [local("large.bin", 24 * MIB, 1)]);
    expect(known[0]?.phase).toBe("changed");
    expect([open, drop]).toEqual([[], [3]]);
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
    const { open, drop } = plan(entries, { stored: [], received }, list);
    expect(open).toEqual([
      { object: 4, numbers: [0], parts: [[2, 1]] },
      { object: 5, numbers: [1, 2], parts: [[1, 1]] },
    ]);
    expect(drop).toEqual([6]);
  });
});

describe("stored files with another date", () => {
  const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  const text = (path: string, content: string, modifiedMs: number): TransferListEntry => ({
    path,
    file: new File([content], path),
    sizeBytes: content.length,
    modifiedMs,
  });
  const same = async (list: TransferListEntry[], change: Partial<ListedEntry> = {}) => {
    const entries = listed(
      list.map(({ path }) => path),
      { size: 3, state: "stored", sha256: ABC, ...change },
    );
    const reader = new ByteReader(wasmHashers);
    return [...(await findSameBytes(entries, [[0, 3]], list, (request) => reader.answer(request)))];
  };

  it("are the same when their bytes are, and are not read when their dates are", async () => {
    const unread = text("b", "abc", DATE);
    if (unread.file) unread.file.slice = () => expect.fail("it was read");
    expect(await same([text("a", "abc", 1), unread, text("c", "abd", 1)])).toEqual([0]);
  });

  it("are compared by all of their bytes when they are large", async () => {
    const file = new File([new Uint8Array(20 * MIB)], "large");
    const sha256 = "cd52d81e25f372e6fa4db2c0dfceb59862c1969cab17096da352b34950c973cc";
    expect(
      await same([{ path: "large", file, sizeBytes: file.size, modifiedMs: 1 }], { size: file.size, sha256 }),
    ).toEqual([0]);
  });

  it("differ when they cannot be read, or nobody has their sum", async () => {
    const broken = text("a", "abc", 1);
    if (broken.file)
      broken.file.slice = () => Object.assign(new Blob(), { arrayBuffer: () => Promise.reject(new Error("gone")) });
    expect(await same([broken])).toEqual([]);
    expect(await same([text("a", "abc", 1)], { sha256: undefined })).toEqual([]);
  });
});
