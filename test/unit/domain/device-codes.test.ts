import { expect, it } from "vitest";
import { createDeviceCode, createUserCode, readUserCode, showUserCode } from "#domain/device-codes.ts";

it("a code has eight letters, no vowels among them, and each letter comes at each place [DVC-1]", () => {
  const codes = Array.from({ length: 2000 }, createUserCode);
  for (const code of codes) expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/);
  for (let place = 0; place < 8; place += 1) expect(new Set(codes.map((code) => code[place])).size).toBe(20);
  expect(new Set(codes).size).toBe(2000);
});

it("a program's own code has 43 digits and letters, which is 256 bits", () => {
  const codes = Array.from({ length: 500 }, createDeviceCode);
  for (const code of codes) expect(code).toMatch(/^[0-9A-Za-z]{43}$/);
  expect(new Set(codes.join("")).size).toBe(62);
  expect(new Set(codes).size).toBe(500);
});

it("a code is shown in two halves", () => {
  expect(showUserCode("BCDFGHJK")).toBe("BCDF-GHJK");
});

it.each([
  ["BCDF-GHJK", "BCDFGHJK"],
  ["bcdfghjk", "BCDFGHJK"],
  [" bcdf – ghjk\t", "BCDFGHJK"],
  ["BCDF-GHJ", null],
  ["BCDF-GHJKL", null],
  ["BCDF-GHJA", null],
  ["BCDF-GHJ8", null],
  ["", null],
])("what is typed as %j is read as %j", (typed, code) => {
  expect(readUserCode(typed)).toBe(code);
});
