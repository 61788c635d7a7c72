import { expect, test } from "vitest";
import { isEqual } from "#domain/seal/keys.ts";
import { openedSize, recordCount, recordRange, recordsOf, sealedSize } from "#domain/seal/sizes.ts";
import { openRecords } from "#domain/seal/records.ts";
import { newSender, plainBytes, sealStream } from "#test/support/seal/sealed-files.ts";

test.each([
  [0, 28],
  [1, 29],
  [262_116, 262_144],
  [262_117, 262_173],
  [524_232, 524_288],
  [16_777_216, 16_779_036],
  [53_687_091_200, 53_692_826_216],
])("%i bytes take %i sealed, and the other way round", (plain, sealed) => {
  expect(sealedSize(plain)).toBe(sealed);
  expect(openedSize(sealed)).toBe(plain);
});

test("a size that no stream has opens to none", () => {
  expect([0, 27, 262_145, 262_171, 524_289, 524_316, -1].map(openedSize)).toEqual(Array(7).fill(null));
  // A record of 28 bytes holds nothing: only an empty stream has one.
  expect(openedSize(262_144 + 28)).toBeNull();
  expect(openedSize(262_144 + 29)).toBe(262_117);
});

test("every size up to three records and one byte has one sealed size, and each of those one plain size [SEAL-3]", () => {
  const sizes = new Set(Array.from({ length: 3 * 262_116 + 2 }, (_, size) => sealedSize(size)));
  expect(sizes.size).toBe(3 * 262_116 + 2);
  let streams = 0;
  for (let sealed = 0; sealed <= sealedSize(3 * 262_116 + 1); sealed += 1) {
    const plain = openedSize(sealed);
    if (plain === null) continue;
    streams += 1;
    if (sealedSize(plain) !== sealed || !sizes.has(sealed)) throw new Error(`${sealed} opens to ${plain}`);
  }
  expect(streams).toBe(3 * 262_116 + 2);
});

test.each([0, 1, 262_115, 262_116, 262_117, 524_231, 524_232, 524_233, 786_347, 786_348, 786_349])(
  "a stream of %i bytes is sealed and opens again [SEAL-3]",
  async (length) => {
    const { keys } = await newSender();
    const { sealed, plaintext, keys: stream } = await sealStream(keys, 1, plainBytes(length));
    expect(sealed.length).toBe(length + 28 * recordCount(length));
    expect(isEqual(await openRecords(stream, 0, sealed), plaintext)).toBe(true);
  },
);

test("the records of a stretch hold it and none more", () => {
  expect(recordsOf(0, 1)).toEqual({ first: 0, end: 1 });
  expect(recordsOf(0, 0)).toEqual({ first: 0, end: 1 });
  expect(recordsOf(262_115, 262_117)).toEqual({ first: 0, end: 2 });
  expect(recordsOf(262_116, 524_232)).toEqual({ first: 1, end: 2 });
  expect(recordRange(262_117, 1)).toEqual({ start: 262_116, end: 262_117 });
});
