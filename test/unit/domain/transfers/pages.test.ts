import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toHex } from "#domain/bytes-as-text.ts";
import { mimeTypeOf } from "#domain/mime.ts";
import { decodePage, decodePlaces, encodePage, ENTRIES_PER_PAGE, type Entry } from "#domain/transfers/pages.ts";

const anyHash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => toHex(bytes.slice().buffer));

const anyEntry: fc.Arbitrary<Entry> = fc
  .record({
    path: fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("a.jpg", "folder/", "b/c.unknown")),
    sizeBytes: fc.maxSafeNat(),
    modifiedMs: fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 }),
    announcedType: fc.constantFrom("", "image/jpeg", "application/octet-stream", "text/plain; charset=utf-8"),
    object: fc.option(fc.nat(19_999)),
    offset: fc.maxSafeNat(),
    crc32: fc.nat(0xffff_ffff),
    sha256: fc.option(anyHash),
    crcSource: fc.constantFrom("server" as const, "browser" as const),
    removedAt: fc.option(fc.nat()),
    layout: fc.option(fc.array(fc.tuple(fc.nat(120), fc.nat())), { nil: undefined }),
  })
  .map(({ announcedType, layout, ...entry }) => ({
    ...entry,
    type: mimeTypeOf(entry.path, announcedType),
    ...(layout && { layout }),
  }));

/** A photo of a phone, as most entries are. */
function photo(number: number): Entry {
  return {
    path: `Summer 2026/Italy/IMG_20260714_1234${String(number).padStart(2, "0")}.jpg`,
    sizeBytes: 3_456_789 + number,
    modifiedMs: 1_784_000_000_000 + number,
    type: "image/jpeg",
    object: 1000 + Math.floor(number / 2),
    offset: (number % 2) * 3_456_789,
    crc32: 4_000_000_000 + number,
    sha256: "0123456789abcdef".repeat(4),
    crcSource: "server",
    removedAt: null,
  };
}

describe("a page of a transfer's list", () => {
  it("returns the entries that it was made of", () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: ENTRIES_PER_PAGE }), (entries) => {
        expect(decodePage(encodePage(entries))).toEqual(entries);
      }),
    );
  });

  it("tells where the bytes are without the rest", () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 10 }), (entries) => {
        const page = encodePage(entries);
        expect(decodePlaces(page)).toEqual(
          decodePage(page).map(({ type: _type, sha256: _sha256, crcSource: _crcSource, ...place }) => place),
        );
      }),
    );
  });

  it("keeps the sizes of the objects of an entry in segments, after the time of its removal", () => {
    const entry: Entry = { ...photo(0), removedAt: null, layout: [[8, 8_388_608]] };
    expect(encodePage([entry])).toMatch(/,null,\[\[8,8388608\]\]\]\]$/);
    expect(decodePlaces(encodePage([{ ...entry, removedAt: 5 }]))).toMatchObject([
      { removedAt: 5, layout: [[8, 8_388_608]] },
    ]);
  });

  it("takes at most 150 bytes for an entry", () => {
    const page = encodePage(Array.from({ length: ENTRIES_PER_PAGE }, (_, number) => photo(number)));
    expect(new TextEncoder().encode(page).length / ENTRIES_PER_PAGE).toBeLessThanOrEqual(150);
  });

  it("leaves out a type that the name tells, and no other", () => {
    expect(encodePage([photo(0)])).not.toContain("image/jpeg");
    expect(encodePage([{ ...photo(0), type: "image/png" }])).toContain("image/png");
  });
});
