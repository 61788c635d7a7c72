import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { toBase64url } from "#domain/bytes-as-text.ts";
import { concat, isEqual, randomBytes } from "#domain/seal/keys.ts";
import { markOf } from "#domain/seal/marks.ts";
import { deriveStreamKeys, openRecords, recordNonces, sealRecords } from "#domain/seal/records.ts";
import { SealError } from "#domain/seal/seal-error.ts";
import { recordRange, sealedSize } from "#domain/seal/sizes.ts";
import { hex, newSender, plainBytes, recordsOfPart, sealStream } from "#test/support/seal/sealed-files.ts";

const RECORD = 262_144;
const PLAIN = 262_116;
const SIX_RECORDS = 5 * PLAIN + 1000;

test("any records that are sealed or opened alone equal their stretch of the whole [SEAL-6]", async () => {
  const { keys: content } = await newSender();
  const { keys, plaintext, sealed, nonces } = await sealStream(content, 7, plainBytes(SIX_RECORDS));
  let stretches = 0;
  for (let first = 0; first < 6; first += 1) {
    for (let end = first + 1; end <= 6; end += 1) {
      const plain = plaintext.slice(first * PLAIN, recordRange(SIX_RECORDS, end - 1).end);
      const stored = sealed.slice(first * RECORD, end * RECORD);
      const part = await sealRecords(keys, first, plain);
      expect(isEqual(concat(...part.pieces), stored)).toBe(true);
      expect(part.nonces).toEqual(nonces.slice(12 * first, 12 * end));
      expect(await recordNonces(keys, first, plain)).toEqual(part.nonces);
      expect(isEqual(await openRecords(keys, first, stored), plain)).toBe(true);
      stretches += 1;
    }
  }
  expect(stretches).toBe(21);
});

test("one changed byte, another place, stream, size or transfer gives another nonce, for a thousand files [SEAL-6]", async () => {
  const { keys: content } = await newSender();
  const { keys: otherContent } = await newSender();
  const seen = new Set<string>();
  for (let file = 0; file < 1000; file += 1) {
    const plaintext = randomBytes(1 + (file % 300));
    const changed = plaintext.slice();
    changed[file % changed.length] = (changed[file % changed.length] ?? 0) ^ (1 << (file % 8));
    const longer = new Uint8Array([...plaintext, 0]);
    const nonceOf = async (from: typeof content, stream: number, bytes: typeof plaintext) =>
      hex(await recordNonces(await deriveStreamKeys(from, stream, bytes.length), 0, bytes));
    const nonce = await nonceOf(content, file, plaintext);
    expect(await nonceOf(content, file, plaintext)).toBe(nonce);
    seen.add(nonce);
    seen.add(await nonceOf(content, file, changed));
    seen.add(await nonceOf(content, file, longer));
    seen.add(await nonceOf(content, file + 1000, plaintext));
    seen.add(await nonceOf(otherContent, file, plaintext));
  }
  expect(seen.size).toBe(5000);
});

test("the same bytes in two records of a stream have two nonces", async () => {
  const { keys: content } = await newSender();
  const { nonces } = await sealStream(content, 0, new Uint8Array(3 * PLAIN));
  const each = [0, 12, 24].map((at) => hex(nonces.slice(at, at + 12)));
  expect(new Set(each).size).toBe(3);
});

test("half a record, and more than the stream holds, is not sealed", async () => {
  const { keys: content } = await newSender();
  const keys = await deriveStreamKeys(content, 0, PLAIN + 5);
  await expect(sealRecords(keys, 0, plainBytes(100))).rejects.toThrow(RangeError);
  await expect(sealRecords(keys, 1, plainBytes(4))).rejects.toThrow(RangeError);
  await expect(sealRecords(keys, 1, plainBytes(6))).rejects.toThrow(RangeError);
  await expect(sealRecords(keys, 2, new Uint8Array())).rejects.toThrow(RangeError);
  await expect(deriveStreamKeys(content, 4_294_967_296, 5)).rejects.toThrow(RangeError);
  await expect(deriveStreamKeys(content, 0, 1.5)).rejects.toThrow(RangeError);
});

test("records that are cut, moved, doubled, missing, or of another size, stream or transfer do not open [SEAL-5]", async () => {
  const { keys: content } = await newSender();
  const { keys: otherContent } = await newSender();
  const size = 2 * PLAIN + 77;
  const { keys, sealed } = await sealStream(content, 4, plainBytes(size));
  const [one, two, three] = [0, 1, 2].map((record) => sealed.slice(record * RECORD, (record + 1) * RECORD));
  if (!one || !two || !three) throw new Error("three records were expected");
  const refused = async (as: typeof keys, first: number, bytes: typeof sealed) => {
    await expect(openRecords(as, first, bytes)).rejects.toBeInstanceOf(SealError);
  };
  for (const bytes of [sealed.slice(0, -1), sealed.slice(0, RECORD + 1), sealed.slice(1), new Uint8Array()])
    await refused(keys, 0, bytes);
  await refused(keys, 0, concat(two, one, three));
  await refused(keys, 0, concat(one, one, three));
  await refused(keys, 0, concat(sealed, three));
  await refused(keys, 0, concat(sealed, new Uint8Array(1)));
  await refused(keys, 1, one);
  await refused(keys, 3, three);
  for (const other of [size - 1, size + 1, size - 77, size + PLAIN, 77]) {
    await refused(await deriveStreamKeys(content, 4, other), 0, sealed);
    await refused(await deriveStreamKeys(content, 4, other), 0, one);
  }
  await refused(await deriveStreamKeys(content, 5, size), 0, sealed);
  await refused(await deriveStreamKeys(otherContent, 4, size), 0, sealed);
});

test("a part's mark is the HMAC of its stream, number and nonces, and differs with each of them [SEAL-7]", async () => {
  const { keys, secret, salt } = await newSender();
  const { nonces } = await sealStream(keys, 3, plainBytes(PLAIN + 9));
  const derived = hkdf(secret, salt, "mayfly/1 part mark");
  const place = Uint8Array.from([0, 0, 0, 3, 0, 0, 0, 2]);
  const mac = createHmac("sha256", derived).update(place).update(nonces).digest().subarray(0, 12);
  expect(await markOf(keys, 3, 2, nonces)).toBe(toBase64url(mac));
  const marks = [
    await markOf(keys, 3, 1, nonces),
    await markOf(keys, 2, 2, nonces),
    await markOf(keys, 3, 2, nonces.slice(0, 12)),
    toBase64url(mac),
  ];
  expect(new Set(marks).size).toBe(4);
});

test("parts of 16 MiB hold 64 records each, and the last one the rest", () => {
  const size = sealedSize(40_000_000);
  expect(size).toBe(40_004_284);
  const parts = [1, 2, 3].map((part) => recordsOfPart(size, part, 16_777_216));
  expect(parts).toEqual([
    { first: 0, end: 64 },
    { first: 64, end: 128 },
    { first: 128, end: 153 },
  ]);
});

function hkdf(material: Uint8Array, salt: Uint8Array, label: string): Uint8Array {
  const extracted = createHmac("sha256", salt).update(material).digest();
  return createHmac("sha256", extracted)
    .update(label)
    .update(Uint8Array.from([1]))
    .digest();
}
