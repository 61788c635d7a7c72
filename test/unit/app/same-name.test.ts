import { expect, it } from "vitest";
import { isSameName } from "#app/features/upload/transfer/chosen-list.ts";

it("knows the file of the disk whose name was made portable", () => {
  expect(isSameName("a:b.txt", "trip/a_b.txt", "a:b.txt")).toBe(true);
  expect(isSameName("a:b.txt", "trip/a_b.txt", null)).toBe(true);
  expect(isSameName("a.txt", "trip/a_b.txt", "a:b.txt")).toBe(false);
});

it("knows the file whose name got a number [TRF-54]", () => {
  expect(isSameName("a.txt", "a (2).txt", "a.txt")).toBe(true);
  expect(isSameName("a.txt", "a (2).txt", null)).toBe(true);
  expect(isSameName("a (2).txt", "a (2).txt", null)).toBe(true);
  expect(isSameName("a (2).txt", "a (2).txt", "a.txt")).toBe(false);
  expect(isSameName("b.txt", "a (2).txt", null)).toBe(false);
});

it("takes both forms of an accent for the same", () => {
  expect(isSameName("Cafe\u0301.txt", "Caf\u00e9.txt", null)).toBe(true);
  expect(isSameName("Caf\u00e9.txt", "Caf\u00e9.txt", "Cafe\u0301.txt")).toBe(true);
});
