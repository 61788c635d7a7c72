import { describe, expect, it } from "vitest";
import { wasmHashers } from "#app/lib/hashing/wasm-hashers.ts";
import { MIB } from "#domain/units.ts";
import type { ListedEntry, ReceivedObject } from "#domain/wire.ts";
import { ByteReader } from "#engine/reading-thread.ts";
import { planResume, compareStored } from "#engine/transfer/resume-transfer.ts";
import type { TransferListEntry } from "#engine/transfer/transfer-list.ts";

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
  it("keeps the server's numbers and removals, and adds what is new [TRF-46]", () => {
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

  it("names files that this device lacks, unless they have arrived [TRF-46]", () => {
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

  it("names files that have arrived and have another date here, unless their bytes are the same [TRF-46]", () => {
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

describe("what storage has of an unfinished transfer", () => {
  /** CRC-32 of "abc". */
  const ABC = "352441c2";
  /** CRC-32 of 8 MiB of zeros. */
  const ZEROS = "1ad2bc45";
  const text = (path: string, content: string, modifiedMs = DATE): TransferListEntry => ({
    path,
    file: new File([content], path),
    sizeBytes: content.length,
    modifiedMs,
  });
  const compare = async (
    list: TransferListEntry[],
    received: ReceivedObject[] = [],
    change: Partial<ListedEntry> = { state: "stored", crc32: ABC },
  ) => {
    const entries = listed(
      list.map(({ path }) => path),
      { size: 3, ...change },
    );
    const reader = new ByteReader(wasmHashers);
    const compared = await compareStored(entries, { received }, list, (request) => reader.answer(request));
    return {
      same: [...compared.sameBytes],
      changed: compared.listed.filter(({ modifiedAt }) => modifiedAt === "").map(({ n }) => n),
      parts: compared.received.map(({ parts }) => parts),
    };
  };

  it("is the same file when its bytes are, whatever its date, and another one when they are not", async () => {
    const list = [text("a", "abc", 1), text("b", "abc"), text("c", "abd", 1), text("d", "abd")];
    expect(await compare(list)).toEqual({ same: [0, 1], changed: [2, 3], parts: [] });
  });

  it("is left as it is without a sum, with another size, or when it cannot be read", async () => {
    const unreadable = text("c", "abc");
    if (unreadable.file) {
      const bytes = new Blob(["abc"]);
      bytes.arrayBuffer = () => Promise.reject(new DOMException("", "NotReadableError"));
      unreadable.file.slice = () => bytes;
    }
    const nothing = { same: [], changed: [], parts: [] };
    expect(await compare([text("a", "abd")], [], { state: "stored" })).toEqual(nothing);
    expect(await compare([text("a", "abcd")])).toEqual(nothing);
    expect(await compare([unreadable])).toEqual(nothing);
  });

  it("loses the parts of a large file that have other bytes", async () => {
    const list = [text("large", "abcdefgh")];
    const sums = [
      { part: 1, crc32: ABC },
      { part: 2, crc32: "00000000" },
    ];
    const received = [{ object: 0, runs: [[0, 1]] as const, parts: [[1, 2]] as const, sums, partSizeBytes: 3 }];
    // An object of two parts of 3 bytes is not complete with 8 bytes announced.
    const compared = await compare(list, received, { size: 8, state: "arriving" });
    expect(compared).toEqual({ same: [0], changed: [], parts: [[[1, 1]]] });
  });

  it("loses all parts when it can be read already and one part has other bytes, and is sent anew [FOL-26]", async () => {
    const size = 64 * MIB;
    const file = text("film", "");
    const large = { ...file, file: new File([new Uint8Array(size)], "film"), sizeBytes: size };
    const received = (second: string) => [
      {
        object: 0,
        runs: [[0, 1]] as const,
        parts: [[1, 2]] as const,
        sums: [
          { part: 1, crc32: ZEROS },
          { part: 2, crc32: second },
        ],
        partSizeBytes: 8 * MIB,
      },
    ];
    const compared = (second: string) => compare([large], received(second), { size, state: "arriving" });
    expect(await compared(ZEROS)).toEqual({ same: [0], changed: [], parts: [[[1, 2]]] });
    expect(await compared("00000000")).toEqual({ same: [0], changed: [], parts: [[]] });
    const entries = listed(["film"], { size, state: "arriving" });
    const [emptied] = received(ZEROS).map((object) => ({ ...object, parts: [] }));
    const { drop, open } = plan(entries, { stored: [], received: emptied ? [emptied] : [] }, [large]);
    expect([drop, open]).toEqual([[0], []]);
  });

  it("is a changed file when all of its parts are there and one differs", async () => {
    const list = [text("a", "abc"), text("b", "abc")];
    const received = (crc32: string) => [
      { object: 0, runs: [[0, 2]] as const, parts: [[1, 1]] as const, sums: [{ part: 1, crc32 }], partSizeBytes: 6 },
    ];
    const waiting = { state: "arriving" } as const;
    // CRC-32 of "abcabc".
    expect(await compare(list, received("726e994c"), waiting)).toMatchObject({ same: [0, 1], changed: [] });
    expect(await compare(list, received("00000000"), waiting)).toMatchObject({ same: [], changed: [0, 1] });
  });
});
