import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { wasmHashers } from "#app/lib/hashing/wasm-hashers.ts";
import { MIB } from "#domain/units.ts";
import { ByteReader } from "#engine/reading-thread.ts";
import { EntrySources } from "#engine/transfer/entry-sources.ts";
import { ObjectReader } from "#engine/transfer/object-reader.ts";
import { SendingObject } from "#engine/transfer/sending-object.ts";
import { fingerprint } from "#engine/upload-source.ts";

const sum = (text: string) => crc32(text).toString(16).padStart(8, "0");

/** Reads as the browser's file does that was changed or deleted. */
function broken(name: string, error: string, size = 3): File {
  const file = new File(["x".repeat(size)], name);
  const fail = () => Promise.reject(new DOMException("", error));
  file.arrayBuffer = fail;
  file.slice = () => Object.assign(new Blob(), { arrayBuffer: fail });
  return file;
}

describe("reading a pack", () => {
  it("joins its files and sums them", async () => {
    const files = [new File(["abc"], "a"), new File(["defg"], "b")];
    const {
      body,
      crc32: summed,
      failures,
      sha256,
    } = await new ByteReader(wasmHashers).answer({ kind: "bytes", blobs: files });
    expect(await body.text()).toBe("abcdefg");
    expect({ summed, failures, sha256 }).toEqual({ summed: sum("abcdefg"), failures: [], sha256: null });
  });

  it("names every file that cannot be read", async () => {
    const shorter = Object.assign(new File(["ab"], "b"), {});
    Object.defineProperty(shorter, "size", { value: 5 });
    const files = [new File(["abc"], "a"), shorter, broken("c", "NotFoundError")];
    const { failures } = await new ByteReader(wasmHashers).answer({ kind: "bytes", blobs: files });
    expect(failures).toEqual([
      { index: 1, error: "WrongLength" },
      { index: 2, error: "NotFoundError" },
    ]);
  });
});

describe("reading a large file", () => {
  const file = new File(["abcdefgh"], "large");
  const part = (start: number, end: number) => ({ kind: "part" as const, key: 1, file, start, end });

  it("hashes it when its parts come in order, and sums each", async () => {
    const reader = new ByteReader(wasmHashers);
    const first = await reader.answer(part(0, 5));
    const last = await reader.answer(part(5, 8));
    expect([first.crc32, first.sha256, last.crc32]).toEqual([sum("abcde"), null, sum("fgh")]);
    expect(last.sha256).toBe(createHash("sha256").update("abcdefgh").digest("hex"));
  });

  it("has no hash when a part is missing", async () => {
    const reader = new ByteReader(wasmHashers);
    await reader.answer(part(0, 3));
    expect((await reader.answer(part(5, 8))).sha256).toBeNull();
    expect((await reader.answer(part(3, 8))).sha256).toBeNull();
  });

  it("notices that it changed while it was read [TRF-47]", async () => {
    const sources = new EntrySources();
    const bytes = new Uint8Array(17 * MIB);
    const growing = new File([bytes], "growing");
    sources.set(0, { path: "growing", file: growing, sizeBytes: growing.size, modifiedMs: 0 });
    const reader = new ByteReader(wasmHashers);
    const read = async (changesAfter: number) => {
      const object = new SendingObject(0, [0], growing.size);
      object.open({ partSizeBytes: 8 * MIB, partCount: 3 });
      const failures = [];
      for (const taken of [1, 2, 3]) {
        object.takePart();
        const answer = await new ObjectReader(sources, (request) => reader.answer(request), {
          versionOf: fingerprint,
        }).read({
          object,
          part: taken,
        });
        failures.push(...answer.failures.map(({ error }) => [taken, error]));
        if (taken === changesAfter) growing.slice = (...range) => new File([bytes.fill(1)], "other").slice(...range);
      }
      return failures;
    };
    expect(await read(0)).toEqual([]);
    expect(await read(2)).toEqual([[3, "WrongLength"]]);
  });
});

describe("a file that cannot be read", () => {
  const stateOf = (error: string, part: number, fresh?: { sizeBytes?: number; lastModified?: number } | "gone") => {
    const sources = new EntrySources();
    const reload = () =>
      fresh === "gone"
        ? Promise.reject(new DOMException("", "NotFoundError"))
        : Promise.resolve(
            new File(["x".repeat(fresh?.sizeBytes ?? 1)], "a", { lastModified: fresh?.lastModified ?? 5 }),
          );
    const entry = { path: "a", file: new File(["x"], "a"), sizeBytes: 1, modifiedMs: 5 };
    sources.set(0, fresh ? { ...entry, reload } : entry);
    return new ObjectReader(sources, () => Promise.reject(new Error("not asked")), { versionOf: fingerprint }).stateOf(
      0,
      error,
      part,
    );
  };

  it("has changed when a fresh look finds another, or when bytes of it were read before", async () => {
    expect(await stateOf("NotReadableError", 1, { sizeBytes: 2 })).toBe("changed");
    expect(await stateOf("NotReadableError", 1, { lastModified: 6 })).toBe("changed");
    expect(await stateOf("NotReadableError", 2)).toBe("changed");
    expect(await stateOf("WrongLength", 1)).toBe("changed");
  });

  it("is unreadable when it is the same, is gone, or cannot be looked at", async () => {
    expect(await stateOf("NotReadableError", 1, {})).toBe("unreadable");
    expect(await stateOf("NotFoundError", 1, "gone")).toBe("unreadable");
    expect(await stateOf("NotReadableError", 1)).toBe("unreadable");
  });
});
