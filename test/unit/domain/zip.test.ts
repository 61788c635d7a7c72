import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { layOutZip, zipPieces, type ZipEntry, type ZipLayout, type ZipPiece } from "#domain/zip.ts";
import { pack, readZip, type PackedFile } from "#test/support/archives/packed.ts";

const GIB = 1024 ** 3;

/** 22 November 2026, 12:34:56 UTC: DOS date 5d76, DOS time 645c, Unix second 6b02e170. */
const MODIFIED_MS = Date.UTC(2026, 10, 22, 12, 34, 56);
const DOS = "5c 64 76 5d";
const TIME_EXTRA = "55 54 05 00 01 70 e1 02 6b";

const entry = (facts: Partial<ZipEntry>): ZipEntry => ({
  path: "a",
  sizeBytes: 0,
  crc32: 0,
  modifiedMs: MODIFIED_MS,
  object: facts.sizeBytes ? 0 : null,
  offset: 0,
  ...facts,
});

const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
/** Hexadecimal bytes, from lines with a comment after each `|`. */
const bytesOf = (lines: string[]) => lines.map((line) => line.split("|")[0]?.trim()).join(" ");
const isAtHand = (piece: ZipPiece) => piece instanceof Uint8Array;
const headersOf = (layout: ZipLayout) =>
  [...zipPieces(layout, 0, layout.directoryStart)].filter(isAtHand).map((header) => toHex(header));
const lengthOf = (piece: ZipPiece) => piece.length;

const when = fc.oneof(
  fc.integer({ min: -1e13, max: 1e13 }),
  fc.constantFrom(0, -1, 1999, 2000, 2 ** 31 * 1000 - 1, 2 ** 31 * 1000, Date.UTC(1980, 0, 1), Date.UTC(2108, 0, 1)),
);
const text = fc.string({ unit: "grapheme", maxLength: 8 });
const folder = fc.record({
  path: text.map((name) => `${name}/`),
  bytes: fc.constant(new Uint8Array()),
  modifiedMs: when,
});
const file: fc.Arbitrary<PackedFile> = fc.record({
  path: text,
  bytes: fc.uint8Array({ maxLength: 60 }),
  modifiedMs: when,
});
const files = fc.array(fc.oneof({ weight: 5, arbitrary: file }, folder), { maxLength: 12 });

describe("the bytes of a ZIP", () => {
  it("of a file and an empty folder are these", async () => {
    const hi = new TextEncoder().encode("hi");
    const { entries, objects } = pack([
      { path: "ä.txt", bytes: hi, modifiedMs: MODIFIED_MS },
      { path: "b/", bytes: new Uint8Array(), modifiedMs: MODIFIED_MS },
    ]);
    const layout = await layOutZip(entries);
    expect(toHex(readZip(layout, objects))).toBe(
      bytesOf([
        "50 4b 03 04 0a 00 00 08 00 00 | local header, needs 1.0, UTF-8, stored",
        DOS,
        "ac 2a 93 d8 02 00 00 00 02 00 00 00 | CRC-32, sizes",
        "06 00 09 00 | lengths of path and extra",
        "c3 a4 2e 74 78 74",
        TIME_EXTRA,
        "68 69",
        "50 4b 03 04 14 00 00 08 00 00 | local header, needs 2.0",
        DOS,
        "00 00 00 00 00 00 00 00 00 00 00 00",
        "02 00 09 00",
        "62 2f",
        TIME_EXTRA,
        "50 4b 01 02 2d 03 0a 00 00 08 00 00 | directory: made by Unix, 4.5",
        DOS,
        "ac 2a 93 d8 02 00 00 00 02 00 00 00",
        "06 00 09 00 00 00 00 00 00 00 | lengths of path, extra and comment; disk; internal attributes",
        "00 00 a4 81 00 00 00 00 | regular file, 0644; offset",
        "c3 a4 2e 74 78 74",
        TIME_EXTRA,
        "50 4b 01 02 2d 03 14 00 00 08 00 00",
        DOS,
        "00 00 00 00 00 00 00 00 00 00 00 00",
        "02 00 09 00 00 00 00 00 00 00",
        "10 00 ed 41 2f 00 00 00 | folder, 0755, DOS bit; offset 47",
        "62 2f",
        TIME_EXTRA,
        "50 4b 05 06 00 00 00 00 02 00 02 00 | end: two entries",
        "76 00 00 00 58 00 00 00 00 00 | directory of 118 bytes at 88; no comment",
      ]),
    );
  });

  it("of nothing are an end alone", async () => {
    const layout = await layOutZip([]);
    expect(toHex(readZip(layout, []))).toBe(`50 4b 05 06${" 00".repeat(18)}`);
    expect(layout.directoryStart).toBe(0);
  });

  it("are as many as announced, and any range is the same slice of the whole [TRF-9]", async () => {
    await fc.assert(
      fc.asyncProperty(files, fc.nat(), fc.nat(), async (files, a, b) => {
        const { entries, objects } = pack(files);
        const layout = await layOutZip(entries);
        const whole = readZip(layout, objects);
        expect(whole).toHaveLength(layout.size);
        // The directory takes no more memory than its bytes, and the byte before them that is hashed.
        expect(layout.tail.buffer.byteLength).toBe(layout.tail.byteLength + 1);
        const [from = 0, to = 0] = [a % (layout.size + 1), b % (layout.size + 1)].sort((x, y) => x - y);
        expect(readZip(layout, objects, from, to)).toEqual(whole.slice(from, to));
        expect([...zipPieces(layout, from, to)].map(lengthOf)).not.toContain(0);
      }),
    );
  });

  it("can be read one by one", async () => {
    const { entries, objects } = pack([
      { path: "a", bytes: new Uint8Array([1, 2, 3]), modifiedMs: 0 },
      { path: "b/", bytes: new Uint8Array(), modifiedMs: 0 },
      { path: "c", bytes: new Uint8Array([4]), modifiedMs: 0 },
    ]);
    const layout = await layOutZip(entries);
    const bytes = Array.from({ length: layout.size }, (_, at) => [...readZip(layout, objects, at, at + 1)]);
    expect(bytes.flat()).toEqual([...readZip(layout, objects)]);
    expect([...zipPieces(layout, 5, 5)]).toEqual([]);
  });

  it.each([
    [-1, 1],
    [2, 1],
    [0, 23],
    [Number.NaN, 1],
  ])("%d to %d are not among the 22 of an empty one", async (from, to) => {
    const layout = await layOutZip([]);
    expect(() => [...zipPieces(layout, from, to)]).toThrow(RangeError);
  });

  it("cannot be laid out for bytes without an object, or a path above 65,535 bytes", async () => {
    await expect(layOutZip([entry({ sizeBytes: 1, object: null })])).rejects.toThrow(RangeError);
    await expect(layOutZip([entry({ path: "ä".repeat(32_768) })])).rejects.toThrow(RangeError);
    expect((await layOutZip([entry({ path: "a".repeat(65_535) })])).size).toBe(2 * (65_535 + 9) + 30 + 46 + 22);
  });
});

describe("the ETag of a ZIP", () => {
  it("is strong and has 22 characters of base64url", async () => {
    expect((await layOutZip([entry({})])).etag).toMatch(/^"[\w-]{22}"$/);
  });

  const change = fc.oneof(
    fc.record({ date: when }),
    fc.record({ later: fc.integer({ min: -2500, max: 2500 }) }),
    fc.record({ path: text }),
    fc.record({ byte: fc.nat({ max: 255 }) }),
    fc.record({ perObject: fc.integer({ min: 1, max: 12 }) }),
    fc.constant({ drop: true }),
    fc.constant({ swap: true }),
  );
  type Change = Partial<Record<"date" | "later" | "byte" | "perObject", number>> & { path?: string } & Partial<
      Record<"drop" | "swap", boolean>
    >;

  const changed = (files: PackedFile[], at: number, change: Change): PackedFile[] => {
    const file = files[at];
    if (!file) return files;
    if (change.drop) return files.toSpliced(at, 1);
    if (change.swap) return [...files.slice(at), ...files.slice(0, at)];
    const modifiedMs = change.date ?? file.modifiedMs + (change.later ?? 0);
    const bytes = change.byte === undefined ? file.bytes : file.bytes.with(0, change.byte);
    return files.with(at, { path: change.path ?? file.path, bytes, modifiedMs });
  };

  it("changes if and only if a byte does [TRF-9]", async () => {
    const lists = files.filter((list) => list.some(({ bytes }) => bytes.length > 0));
    await fc.assert(
      fc.asyncProperty(lists, fc.nat(), change, async (list, n, change: Change) => {
        const withBytes = list.flatMap(({ bytes }, at) => (bytes.length > 0 ? [at] : []));
        const at = withBytes[n % withBytes.length] ?? 0;
        const [one, other] = [pack(list), pack(changed(list, at, change), change.perObject)];
        const [first, second] = [await layOutZip(one.entries), await layOutZip(other.entries)];
        const isSame = toHex(readZip(first, one.objects)) === toHex(readZip(second, other.objects));
        expect(first.etag === second.etag).toBe(isSame);
      }),
      { numRuns: 500 },
    );
  });
});

describe("dates in a ZIP", () => {
  const datesOf = async (modifiedMs: number) => {
    const [header = ""] = headersOf(await layOutZip([entry({ modifiedMs })]));
    return { dos: header.slice(3 * 10, 3 * 14 - 1), extra: header.slice(3 * 31) };
  };

  it.each([
    ["1969-12-31T23:59:59Z", "00 00 21 00", "55 54 05 00 01 ff ff ff ff"],
    ["1970-01-01T00:00:00Z", "00 00 21 00", "55 54 05 00 01 00 00 00 00"],
    ["1979-12-31T23:59:59Z", "00 00 21 00", "55 54 05 00 01 ff a5 ce 12"],
    ["1980-01-01T00:00:03Z", "01 00 21 00", "55 54 05 00 01 03 a6 ce 12"],
    ["2038-01-19T03:14:07.999Z", "c3 19 33 74", "55 54 05 00 01 ff ff ff 7f"],
    ["2038-01-19T03:14:08Z", "c4 19 33 74", ""],
    ["1901-12-13T20:45:52Z", "00 00 21 00", "55 54 05 00 01 00 00 00 80"],
    ["1901-12-13T20:45:51.999Z", "00 00 21 00", ""],
    ["2107-12-31T23:59:59Z", "7d bf 9f ff", ""],
    ["2200-01-01T00:00:00Z", "7d bf 9f ff", ""],
  ])("%s", async (date, dos, extra) => {
    expect(await datesOf(Date.parse(date))).toEqual({ dos, extra });
  });
});

/** Entries of `sizes` bytes, each in an object of its own, of which nobody has the bytes. */
const sparse = (sizes: number[]) =>
  layOutZip(sizes.map((sizeBytes, object) => entry({ sizeBytes, object, crc32: 0x12345678 })));
const LOCAL = `00 08 00 00 ${DOS} 78 56 34 12`;

describe("a ZIP of large files", () => {
  it("of 4 GiB - 2 has no ZIP64 for the size; the directory beyond 4 GiB has", async () => {
    const layout = await sparse([4 * GIB - 2]);
    expect(headersOf(layout)).toEqual([
      `50 4b 03 04 0a 00 ${LOCAL} fe ff ff ff fe ff ff ff 01 00 09 00 61 ${TIME_EXTRA}`,
    ]);
    expect(layout.directoryStart).toBe(4 * GIB - 2 + 40);
    expect(toHex(layout.tail)).toBe(
      bytesOf([
        `50 4b 01 02 2d 03 0a 00 ${LOCAL} fe ff ff ff fe ff ff ff`,
        `01 00 09 00 00 00 00 00 00 00 00 00 a4 81 00 00 00 00 61 ${TIME_EXTRA}`,
        "50 4b 06 06 2c 00 00 00 00 00 00 00 2d 03 2d 00 | ZIP64 end: 44 bytes follow, made by, needed",
        "00 00 00 00 00 00 00 00 | disks",
        "01 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00",
        "38 00 00 00 00 00 00 00 26 00 00 00 01 00 00 00 | 56 bytes at 4 GiB + 38",
        "50 4b 06 07 00 00 00 00 5e 00 00 00 01 00 00 00 01 00 00 00 | locator: at 4 GiB + 94",
        "50 4b 05 06 00 00 00 00 01 00 01 00 38 00 00 00 ff ff ff ff 00 00",
      ]),
    );
  });

  it.each([
    [4 * GIB - 1, "ff ff ff ff 00 00 00 00"],
    [4 * GIB, "00 00 00 00 01 00 00 00"],
    [5 * 1024 * GIB + 1, "01 00 00 00 00 05 00 00"],
  ])("of %d bytes has both sizes in both ZIP64 extras", async (sizeBytes, size) => {
    const layout = await sparse([sizeBytes]);
    expect(headersOf(layout)).toEqual([
      `50 4b 03 04 2d 00 ${LOCAL} ff ff ff ff ff ff ff ff 01 00 1d 00 61 01 00 10 00 ${size} ${size} ${TIME_EXTRA}`,
    ]);
    expect(toHex(layout.tail.subarray(0, 46 + 1 + 29))).toBe(
      bytesOf([
        `50 4b 01 02 2d 03 2d 00 ${LOCAL} ff ff ff ff ff ff ff ff`,
        `01 00 1d 00 00 00 00 00 00 00 00 00 a4 81 00 00 00 00 61 01 00 10 00 ${size} ${size} ${TIME_EXTRA}`,
      ]),
    );
  });

  it.each([
    // 40 bytes are the first entry's header.
    [4 * GIB - 2, "00 00 a4 81 fe ff ff ff", ""],
    [4 * GIB - 1, "00 00 a4 81 ff ff ff ff", "01 00 08 00 ff ff ff ff 00 00 00 00 "],
    [4 * GIB, "00 00 a4 81 ff ff ff ff", "01 00 08 00 00 00 00 00 01 00 00 00 "],
    [7 * GIB, "00 00 a4 81 ff ff ff ff", "01 00 08 00 00 00 00 c0 01 00 00 00 "],
  ])("has the offset %d in the directory's ZIP64 extra alone, from 4 GiB - 1 on", async (offset, fields, extra) => {
    const before = offset > 4 * GIB ? [3 * GIB - 40, offset - 3 * GIB - 40] : [offset - 40];
    const layout = await sparse([...before, 3]);
    expect(layout.starts.at(-2)).toBe(offset);
    expect(headersOf(layout).at(-1)).toBe(
      `50 4b 03 04 0a 00 ${LOCAL} 03 00 00 00 03 00 00 00 01 00 09 00 61 ${TIME_EXTRA}`,
    );
    const [needed, length] = extra === "" ? ["0a 00", "09 00"] : ["2d 00", "15 00"];
    const headers = toHex(layout.tail).split(" 50 4b 01 02 ").slice(-1);
    expect(headers[0]?.split(" 50 4b 06 06 ")[0]).toBe(
      `2d 03 ${needed} ${LOCAL} 03 00 00 00 03 00 00 00 01 00 ${length} 00 00 00 00 00 00 ${fields} 61 ${extra}${TIME_EXTRA}`,
    );
  });

  it("has the ZIP64 end from a directory at 4 GiB - 1 on", async () => {
    const endOf = async (directoryStart: number) => toHex((await sparse([directoryStart - 40])).tail).slice(3 * 56);
    expect(await endOf(4 * GIB - 2)).toBe("50 4b 05 06 00 00 00 00 01 00 01 00 38 00 00 00 fe ff ff ff 00 00");
    expect(await endOf(4 * GIB - 1)).toMatch(/^50 4b 06 06 .* 50 4b 06 07 .* 50 4b 05 06 .* ff ff ff ff 00 00$/);
  });

  it("names each byte of the objects once, in order", async () => {
    const sizes = [5 * GIB, 1, 4 * GIB - 1, 700 * GIB];
    const layout = await sparse(sizes);
    const pieces = [...zipPieces(layout, 0, layout.size)];
    expect(pieces.filter((piece) => !isAtHand(piece))).toEqual(
      sizes.map((length, object) => ({ object, offset: 0, length })),
    );
    expect(pieces.map(lengthOf).reduce((a, b) => a + b)).toBe(layout.size);
    const [middle = 0] = layout.starts.subarray(3, 4);
    expect([...zipPieces(layout, middle + 600 * GIB, middle + 600 * GIB + 10)]).toEqual([
      { object: 3, offset: 600 * GIB - 60, length: 10 },
    ]);
  });
});

describe("a ZIP of many files", () => {
  const endOf = async (count: number) => {
    const { tail } = await layOutZip(Array.from({ length: count }, (_, n) => entry({ path: `${n}`.padStart(5, "0") })));
    return toHex(tail.subarray(count * (46 + 5 + 9)));
  };

  it("has no ZIP64 up to 65,534", async () => {
    expect(await endOf(65_534)).toBe("50 4b 05 06 00 00 00 00 fe ff fe ff 88 ff 3b 00 a8 ff 2b 00 00 00");
  });

  it("has their number in the ZIP64 end from 65,535 on", async () => {
    expect(await endOf(65_535)).toBe(
      bytesOf([
        "50 4b 06 06 2c 00 00 00 00 00 00 00 2d 03 2d 00 00 00 00 00 00 00 00 00",
        "ff ff 00 00 00 00 00 00 ff ff 00 00 00 00 00 00",
        "c4 ff 3b 00 00 00 00 00 d4 ff 2b 00 00 00 00 00",
        "50 4b 06 07 00 00 00 00 98 ff 67 00 00 00 00 00 01 00 00 00",
        "50 4b 05 06 00 00 00 00 ff ff ff ff c4 ff 3b 00 d4 ff 2b 00 00 00",
      ]),
    );
  });
});
