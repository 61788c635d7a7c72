import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { wasmHashers } from "#app/lib/hashing/wasm-hashers.ts";
import { Sealer } from "#engine/sealing/sealer.ts";
import type { SealedRange } from "#engine/sealing/seal-messages.ts";
import { deriveContentKeys, type Bytes } from "#domain/seal/keys.ts";
import { deriveStreamKeys, openRecords } from "#domain/seal/records.ts";
import { sealedSize } from "#domain/seal/sizes.ts";
import { KIB } from "#domain/units.ts";

const keys = await deriveContentKeys(new Uint8Array(32).fill(1), new Uint8Array(16).fill(2));
/** Three records: two whole ones and a short one. */
const content = repeated(600_000);
const file = new File([content], "large");
const sealedBytes = sealedSize(content.length);

function repeated(length: number): Bytes {
  return Uint8Array.from({ length }, (_, at) => (31 * at) % 251);
}

function ranges(partSizeBytes: number, wholeBytes = sealedBytes): SealedRange[] {
  return Array.from({ length: Math.ceil(wholeBytes / partSizeBytes) }, (_, index) => {
    const start = index * partSizeBytes;
    return { part: index + 1, start, end: Math.min(start + partSizeBytes, wholeBytes) };
  });
}

const sumsOf = (bytes: Uint8Array) => ({
  sha256: createHash("sha256").update(bytes).digest("hex"),
  crc32: crc32(bytes).toString(16).padStart(8, "0"),
});

const part = (range: SealedRange, blob: Blob = file) => ({
  kind: "part" as const,
  keys,
  stream: 7,
  file: blob,
  needsSums: true,
  ...range,
});

describe("sealing a large file by parts", () => {
  it("joined, the parts open to the file; the last one brings its sums", async () => {
    const sealer = new Sealer(wasmHashers);
    const answers = await Promise.all(ranges(256 * KIB).map((range) => sealer.answer(part(range))));
    const sealed = new Uint8Array(await new Blob(answers.map(({ body }) => body)).arrayBuffer());
    expect(sealed.length).toBe(600_084);
    const opened = await openRecords(await deriveStreamKeys(keys, 7, content.length), 0, sealed);
    expect(sumsOf(opened)).toEqual(sumsOf(content));
    expect(answers.map(({ sums }) => sums)).toEqual([[], [], [sumsOf(content)]]);
    for (const { body, crc32: told } of answers) {
      expect(told).toBe(sumsOf(new Uint8Array(await body.arrayBuffer())).crc32);
    }
  });

  it("a part of several reads opens to the file, has its sums, and the mark that a check finds", async () => {
    // 20 records, where a read has 8.
    const large = new File([repeated(5_000_000)], "larger");
    const range = { part: 1, start: 0, end: sealedSize(large.size) };
    const { body, marks, sums } = await new Sealer(wasmHashers).answer(part(range, large));
    const sealed = new Uint8Array(await body.arrayBuffer());
    const opened = await openRecords(await deriveStreamKeys(keys, 7, large.size), 0, sealed);
    expect(sumsOf(opened)).toEqual(sumsOf(repeated(5_000_000)));
    expect(sums).toEqual([sumsOf(opened)]);
    const checked = await new Sealer(wasmHashers).answer({
      kind: "check",
      keys,
      stream: 7,
      file: large,
      ranges: [range],
    });
    expect([checked.marks, checked.sums]).toEqual([marks, sums]);
  });

  it("a part that cannot be read leaves no sums behind, and reading it again gives none", async () => {
    const sealer = new Sealer(wasmHashers);
    const [first, second, third] = ranges(256 * KIB);
    if (!first || !second || !third) throw new Error("not three parts");
    await sealer.answer(part(first));
    const shortened = Object.defineProperty(new File([content.subarray(0, 300_000)], "large"), "size", {
      value: content.length,
    });
    expect((await sealer.answer(part(second, shortened))).failures).toHaveLength(1);
    expect((await sealer.answer(part(second))).sums).toEqual([]);
    expect((await sealer.answer(part(third))).sums).toEqual([]);
  });

  it("a part that is sealed again has the same bytes and the same mark, also in another thread", async () => {
    const [, second] = ranges(256 * KIB);
    if (!second) throw new Error("no second part");
    const first = await new Sealer(wasmHashers).answer(part(second));
    const again = await new Sealer(wasmHashers).answer(part(second));
    expect(await again.body.text()).toBe(await first.body.text());
    expect(again.marks).toEqual(first.marks);
    expect(again.sums).toEqual([]);
  });

  it("a chunk smaller than a record is the same stretch of the whole", async () => {
    const whole = await new Sealer(wasmHashers).answer(part({ part: 1, start: 0, end: sealedBytes }));
    const bytes = new Uint8Array(await whole.body.arrayBuffer());
    const [, , , fourth] = ranges(64 * KIB);
    if (!fourth) throw new Error("no fourth chunk");
    const chunk = await new Sealer(wasmHashers).answer({ ...part(fourth), needsSums: false });
    const expected = bytes.subarray(3 * 64 * KIB, 4 * 64 * KIB);
    expect(sumsOf(new Uint8Array(await chunk.body.arrayBuffer()))).toEqual(sumsOf(expected));
    expect(chunk.crc32).toBe(sumsOf(expected).crc32);
  });

  it("a check answers the marks of all parts and the sums, and notices one changed byte", async () => {
    const sealer = new Sealer(wasmHashers);
    const answers = await Promise.all(ranges(256 * KIB).map((range) => sealer.answer(part(range))));
    const marks = answers.flatMap((answer) => answer.marks);
    const check = (blob: Blob) =>
      new Sealer(wasmHashers).answer({ kind: "check", keys, stream: 7, file: blob, ranges: ranges(256 * KIB) });
    expect(await check(file)).toMatchObject({ marks, sums: [sumsOf(content)], failures: [] });
    const changed = content.slice();
    changed[300_000] = 255;
    const { marks: others } = await check(new Blob([changed]));
    expect([others[0] === marks[0], others[1] === marks[1], others[2] === marks[2]]).toEqual([true, false, true]);
  });

  it("a check by chunks smaller than a record sums each byte once", async () => {
    const small = repeated(30_000);
    const check = (bytes: Bytes, partSizeBytes: number) =>
      new Sealer(wasmHashers).answer({
        kind: "check",
        keys,
        stream: 7,
        file: new Blob([bytes]),
        ranges: ranges(partSizeBytes, sealedSize(bytes.length)),
      });
    expect((await check(content, 64 * KIB)).sums).toEqual([sumsOf(content)]);
    expect((await check(content, 100_000)).sums).toEqual([sumsOf(content)]);
    expect((await check(small, 64 * KIB)).sums).toEqual([sumsOf(small)]);
  });

  it("names a file that cannot be read, and goes on with others", async () => {
    const broken = new File(["x"], "broken");
    broken.slice = () => Object.assign(new Blob(), { arrayBuffer: () => Promise.reject(new DOMException("", "Gone")) });
    const sealer = new Sealer(wasmHashers);
    const range = { part: 1, start: 0, end: 29 };
    const [failed, next] = await Promise.all([sealer.answer(part(range, broken)), sealer.answer(part(range))]);
    expect(failed.failures).toEqual([{ index: 0, error: "Gone" }]);
    expect(next.failures).toEqual([]);
  });
});

describe("sealing a pack", () => {
  it("each file is a stream of its own, also an empty one", async () => {
    const files = [new File(["abc"], "a"), new File([], "empty"), new File([repeated(300_000)], "c")];
    const {
      body,
      crc32: told,
      marks,
      sums,
    } = await new Sealer(wasmHashers).answer({
      kind: "pack",
      keys,
      files: files.map((each, index) => ({ stream: 10 + index, file: each })),
    });
    const sealed = new Uint8Array(await body.arrayBuffer());
    expect([sealed.length, told]).toEqual([3 + 28 + 28 + 300_000 + 56, sumsOf(sealed).crc32]);
    const opened = await openRecords(await deriveStreamKeys(keys, 10, 3), 0, sealed.slice(0, 31));
    expect(new TextDecoder().decode(opened)).toBe("abc");
    expect(await openRecords(await deriveStreamKeys(keys, 11, 0), 0, sealed.slice(31, 59))).toHaveLength(0);
    expect(sums.slice(0, 2)).toEqual([sumsOf(new TextEncoder().encode("abc")), sumsOf(new Uint8Array())]);
    const alone = await new Sealer(wasmHashers).answer({
      ...part({ part: 1, start: 0, end: 31 }),
      stream: 10,
      file: files[0] ?? file,
    });
    expect([marks.length, marks[0]]).toEqual([3, alone.marks[0]]);
  });
});
