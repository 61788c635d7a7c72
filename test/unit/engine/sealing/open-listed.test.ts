import { describe, expect, it } from "vitest";
import { openListed } from "#engine/sealing/open-listed.ts";
import type { Manifest, ManifestFile } from "#domain/seal/manifest.ts";
import { sealedSize } from "#domain/seal/sizes.ts";
import { MIB } from "#domain/units.ts";
import type { ListedEntry } from "#domain/wire.ts";

const SUMS = { sha256: "a".repeat(64), crc32: "b".repeat(8) };

const sealedFile = (stream: number, name: string, size = 10, sums: Partial<ManifestFile> = {}): ManifestFile => {
  return { name, type: "text/plain", size, mtime: 5000, stream, at: 0, ...sums };
};
const entry = (n: number, size = 10, state: ListedEntry["state"] = "stored"): ListedEntry => {
  return {
    n,
    path: `sealed-0000${n}`,
    size: sealedSize(size),
    modifiedAt: "1970-01-01T00:00:00.000Z",
    type: "",
    state,
  };
};
const local = (path: string, size = 10, modifiedMs = 5000) => {
  return { path, file: new File([new Uint8Array(size)], path), sizeBytes: size, modifiedMs };
};
const manifestOf = (...files: ManifestFile[]): Manifest => ({ final: false, files });

function open(options: Partial<Parameters<typeof openListed>[0]> & { marksHere?: Record<number, string[]> }) {
  const { marksHere = {}, manifest = manifestOf(), ...others } = options;
  const checked: number[] = [];
  const opening = openListed({
    listed: [],
    start: { stored: [], received: [] },
    chosen: [],
    manifest,
    kept: { manifest, removed: [] },
    check: (n) => {
      checked.push(n);
      return Promise.resolve({ body: new Blob(), crc32: "", marks: marksHere[n] ?? [], sums: [SUMS], failures: [] });
    },
    ...others,
  });
  return opening.then((opened) => ({ ...opened, checked }));
}

describe("the list of an unfinished sealed transfer", () => {
  it("gets names and dates from the manifest, and the names of removed files from this browser", async () => {
    const manifest = manifestOf(sealedFile(0, "a.txt"));
    const { listed, unnamed } = await open({
      listed: [entry(0), entry(1, 10, "removed"), entry(2)],
      manifest,
      kept: { manifest, removed: [[1, "b.txt"]] },
    });
    expect(listed.map(({ path }) => path)).toEqual(["a.txt", "b.txt", "sealed-00002"]);
    expect(listed[0]?.modifiedAt).toBe("1970-01-01T00:00:05.000Z");
    expect(unnamed).toEqual([2]);
  });

  it("takes sums that only this browser has, of the same file alone", async () => {
    const { known } = await open({
      listed: [entry(0), entry(1)],
      manifest: manifestOf(sealedFile(0, "a.txt"), sealedFile(1, "b.txt", 10)),
      kept: { manifest: manifestOf(sealedFile(0, "a.txt", 10, SUMS), sealedFile(1, "b.txt", 11, SUMS)) },
    });
    expect([known.get(0)?.sha256, known.get(1)?.sha256]).toEqual(["a".repeat(64), undefined]);
  });

  it("reads every stored file, also one whose date is the same", async () => {
    const { checked, sameBytes } = await open({
      listed: [entry(0), entry(1)],
      start: { stored: [[0, 2]], received: [], marks: [0, 1].map((n) => ({ n, part: 1, mark: `m${n}` })) },
      chosen: [local("a.txt"), local("b.txt")],
      manifest: manifestOf(sealedFile(0, "a.txt", 10, SUMS), sealedFile(1, "b.txt")),
      marksHere: { 0: ["other"], 1: ["m1"] },
    });
    expect(checked).toEqual([0, 1]);
    expect([...sameBytes]).toEqual([1]);
  });

  it("a stored file with other bytes counts as changed, whatever its date [SEAL-21]", async () => {
    const { listed, sameBytes } = await open({
      listed: [entry(0)],
      start: { stored: [[0, 1]], received: [], marks: [{ n: 0, part: 1, mark: "theirs" }] },
      chosen: [local("a.txt")],
      manifest: manifestOf(sealedFile(0, "a.txt")),
      marksHere: { 0: ["ours"] },
    });
    expect([listed[0]?.modifiedAt, sameBytes.size]).toEqual(["", 0]);
  });

  it("of a file that was sent in part, the parts that differ are sent anew", async () => {
    const size = 30 * MIB;
    const { received, sameBytes } = await open({
      listed: [entry(0, size, "arriving")],
      start: {
        stored: [],
        received: [{ object: 4, runs: [[0, 1]], parts: [[1, 3]] }],
        marks: [1, 2, 3].map((part) => ({ n: 0, part, mark: `m${part}` })),
      },
      chosen: [local("large.bin", size, 9000)],
      manifest: manifestOf(sealedFile(0, "large.bin", size)),
      marksHere: { 0: ["m1", "other", "m3", "m4"] },
    });
    expect(received).toEqual([
      {
        object: 4,
        runs: [[0, 1]],
        parts: [
          [1, 1],
          [3, 1],
        ],
      },
    ]);
    expect([...sameBytes]).toEqual([0]);
  });
});
