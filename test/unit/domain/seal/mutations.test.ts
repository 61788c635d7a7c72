// @module-tag long
import fc from "fast-check";
import { expect, test } from "vitest";
import { readFragment, writeFragment } from "#domain/seal/fragment.ts";
import { concat, deriveLinkKeys, isEqual, unwrapSecret, type Bytes } from "#domain/seal/keys.ts";
import { openManifest, sealManifest } from "#domain/seal/manifest.ts";
import { deriveStreamKeys, openRecords } from "#domain/seal/records.ts";
import { SealError, type SealProblem } from "#domain/seal/seal-error.ts";
import { openedSize } from "#domain/seal/sizes.ts";
import { newSender, plainBytes, sealStream } from "#test/support/seal/sealed-files.ts";

/** 10,000 in all. A run on one machine takes some seconds. */
const RUNS = { records: 4000, manyRecords: 200, manifests: 2800, wraps: 2000, fragments: 1000 };
const SEED = { seed: 30 };

/** A fraction of a length. `fc.double` would nearly always give one close to 0. */
const place = fc.noBias(fc.nat(999_999)).map((part) => part / 1_000_000);
/** A change of bytes at random places. */
const change: fc.Arbitrary<(bytes: Bytes) => Bytes> = fc.oneof(
  fc.tuple(place, fc.nat(7)).map(([at, bit]) => (bytes: Bytes) => {
    const index = Math.floor(at * bytes.length);
    return bytes.length === 0 ? bytes : bytes.with(index, (bytes[index] ?? 0) ^ (1 << bit));
  }),
  place.map((to) => (bytes: Bytes) => bytes.slice(0, Math.floor(to * bytes.length))),
  place.map((from) => (bytes: Bytes) => bytes.slice(1 + Math.floor(from * bytes.length))),
  fc.tuple(place, place).map(([from, to]) => (bytes: Bytes) => {
    const [a, b] = [Math.floor(from * bytes.length), Math.floor(to * bytes.length)];
    return bytes.length === 0 ? bytes : bytes.with(a, bytes[b] ?? 0).with(b, bytes[a] ?? 0);
  }),
  fc.uint8Array({ minLength: 1, maxLength: 40 }).map((more) => (bytes: Bytes) => concat(bytes, new Uint8Array(more))),
  fc.uint8Array({ minLength: 1, maxLength: 40 }).map((more) => (bytes: Bytes) => concat(new Uint8Array(more), bytes)),
  fc.tuple(place, fc.integer({ min: 1, max: 64 })).map(([at, length]) => (bytes: Bytes) => {
    const from = Math.floor(at * bytes.length);
    return bytes.slice().fill(0, from, from + length);
  }),
);

/** Changes `original`, and expects that opening it is refused with `problem`. */
async function refuseChanged(
  runs: number,
  original: Bytes,
  problem: SealProblem,
  open: (bytes: Bytes) => Promise<unknown>,
): Promise<void> {
  await open(original);
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
      const changed = changes.reduce((bytes, apply) => apply(bytes), original);
      fc.pre(!isEqual(changed, original));
      const refusal: unknown = await open(changed).then(
        () => "opened",
        (error: unknown) => error,
      );
      expect(refusal).toBeInstanceOf(SealError);
      expect(refusal).toHaveProperty("problem", problem);
    }),
    { numRuns: runs, ...SEED },
  );
}

test("4,000 changed streams of one record are refused as damaged, also with the size that they have now [SEAL-4]", async () => {
  const { keys: content } = await newSender();
  const { keys, sealed } = await sealStream(content, 0, plainBytes(700));
  await refuseChanged(RUNS.records / 2, sealed, "damaged", (bytes) => openRecords(keys, 0, bytes));
  await refuseChanged(RUNS.records / 2, sealed, "damaged", async (bytes) => {
    const size = openedSize(bytes.length) ?? 700;
    return openRecords(await deriveStreamKeys(content, 0, size), 0, bytes);
  });
});

test("200 changed streams of several records are refused as damaged [SEAL-4]", async () => {
  const { keys: content } = await newSender();
  const { keys, sealed } = await sealStream(content, 0, plainBytes(262_116 + 700));
  await refuseChanged(RUNS.manyRecords, sealed, "damaged", (bytes) => openRecords(keys, 0, bytes));
});

test("2,800 changed manifests are refused as damaged [SEAL-4]", async () => {
  const { keys } = await newSender();
  const file = { name: "a.txt", type: "text/plain", size: 3, mtime: 0, stream: 0, at: 0 };
  const body = await sealManifest(keys, 1, { final: false, files: [file] });
  await refuseChanged(RUNS.manifests, body, "damaged", (bytes) => openManifest(keys, 1, bytes));
});

test("2,000 changed wraps and commitments are refused as a wrong key [SEAL-4]", async () => {
  const { keys, link, salt, wrap } = await newSender();
  await refuseChanged(RUNS.wraps / 2, wrap, "wrongKey", (bytes) => unwrapSecret(bytes, link, salt, keys.commitment));
  await refuseChanged(RUNS.wraps / 2, keys.commitment, "wrongKey", (bytes) => unwrapSecret(wrap, link, salt, bytes));
});

test("1,000 changed fragments are unreadable, or give another key that opens nothing [SEAL-4]", async () => {
  const { keys, linkSecret, salt, wrap } = await newSender();
  const fragment = writeFragment({ linkSecret, hasPassword: false });
  const edit = fc.oneof(
    fc.tuple(place, fc.constantFrom("1", "2", "a", "A", "z", "Z", "_", "-"), fc.constant("replace")),
    fc.tuple(
      place,
      fc.constantFrom("3", ".", "%", "=", "+", "/", " ", "#", "é"),
      fc.constantFrom("replace", "insert", "cut"),
    ),
  );
  let unreadable = 0;
  let others = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 2 }), async (edits) => {
      const changed = edits.reduce((text, [at, character, how]) => {
        const index = Math.floor(at * text.length);
        return text.slice(0, index) + (how === "cut" ? "" : character) + text.slice(index + (how === "insert" ? 0 : 1));
      }, fragment);
      const read = readFragment(changed);
      if ("problem" in read) {
        unreadable += 1;
        return;
      }
      // Its last character carries two bits that mean nothing, and text after the key is left out.
      if (isEqual(read.linkSecret, linkSecret)) return;
      others += 1;
      const link = await deriveLinkKeys(read.linkSecret, new Uint8Array(), salt);
      await expect(unwrapSecret(wrap, link, salt, keys.commitment)).rejects.toMatchObject({ problem: "wrongKey" });
    }),
    { numRuns: RUNS.fragments, ...SEED },
  );
  expect(unreadable).toBeGreaterThan(300);
  expect(others).toBeGreaterThan(100);
});
