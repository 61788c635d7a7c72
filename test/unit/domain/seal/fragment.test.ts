import { expect, test } from "vitest";
import { readFragment, writeFragment } from "#domain/seal/fragment.ts";
import { checkKdf, KDF_COST } from "#domain/seal/password.ts";

const linkSecret = new Uint8Array(32).fill(0xab);
const KEY = "q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s";

test("a fragment is 44 characters, and the first one says whether a password is needed [SEAL-10]", () => {
  expect(writeFragment({ linkSecret, hasPassword: false })).toBe(`1${KEY}`);
  expect(writeFragment({ linkSecret, hasPassword: true })).toBe(`2${KEY}`);
  expect(readFragment(`1${KEY}`)).toEqual({ linkSecret, hasPassword: false });
  expect(readFragment(` 2${KEY}\n`)).toEqual({ linkSecret, hasPassword: true });
});

test("a full stop or bracket after the link is not part of the key", () => {
  for (const after of [".", ")", ",", "%20", ">"])
    expect(readFragment(`1${KEY}${after}`)).toEqual({ linkSecret, hasPassword: false });
});

test.each([
  ["", { problem: "none" }],
  ["  ", { problem: "none" }],
  ["1", { problem: "missing", characters: 43 }],
  [`1${KEY.slice(0, 40)}`, { problem: "missing", characters: 3 }],
  [`1${KEY.slice(0, 20)}.${KEY.slice(20)}`, { problem: "missing", characters: 23 }],
  [`3${KEY}`, { problem: "newer" }],
  [`1${KEY}AAAA`, { problem: "newer" }],
  ["section-2", { problem: "newer" }],
])("the fragment %j is not a key [SEAL-10]", (fragment, expected) => {
  expect(readFragment(fragment)).toEqual(expected);
});

const salt = "AAAAAAAAAAAAAAAAAAAAAA";

test("a password's hash costs 64 MiB and three passes, and readers accept 19 to 256 MiB and 2 to 10 passes", () => {
  expect(KDF_COST).toEqual({ name: "argon2id", mKiB: 65_536, t: 3, p: 1 });
  for (const cost of [{ mKiB: 65_536 }, { mKiB: 19_456, t: 2 }, { mKiB: 262_144, t: 10 }, { p: 4 }])
    expect(checkKdf({ ...KDF_COST, salt, ...cost })).toEqual(new Uint8Array(16));
});

test.each([
  { mKiB: 19_455 },
  { mKiB: 262_145 },
  { mKiB: Number.NaN },
  { mKiB: 65_536.5 },
  { t: 1 },
  { t: 11 },
  { p: 0 },
  { p: 5 },
  { salt: "" },
  { salt: "AAAA" },
  { salt: "not base64url!" },
])("a reader refuses to compute a password's hash with %j [SEAL-11]", (cost) => {
  expect(() => checkKdf({ ...KDF_COST, salt, ...cost })).toThrow(expect.objectContaining({ problem: "version" }));
});
