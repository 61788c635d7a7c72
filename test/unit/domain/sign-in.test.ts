import { expect, it } from "vitest";
import { isConfirmed } from "#domain/sign-in.ts";

const NOON = Date.UTC(2027, 0, 1, 12);

it("a confirmation lasts ten minutes, to the millisecond", () => {
  expect(isConfirmed(NOON, NOON)).toBe(true);
  expect(isConfirmed(NOON, NOON + 599_999)).toBe(true);
  expect(isConfirmed(NOON, NOON + 600_000)).toBe(false);
});

it("a session without a confirmation is not confirmed", () => {
  expect(isConfirmed(null, NOON)).toBe(false);
});
