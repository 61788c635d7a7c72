import { expect, it } from "vitest";
import { Silence } from "../../../opener/silence.ts";

it("is as long as nothing but what the server kept back has come [FOL-12]", () => {
  const silence = new Silence(1000);
  silence.hearBytes(65_536, 61_000);
  expect(silence.lasts(61_000)).toBe(60_000);
  silence.hearBytes(65_537, 62_000);
  expect(silence.lasts(62_000)).toBe(0);
  silence.hearBytes(131_073, 90_000);
  expect(silence.lasts(90_000)).toBe(28_000);
});

it("ends when a file begins anew, and when the server has more of the upload [FOL-12]", () => {
  const silence = new Silence(0);
  silence.hearBytes(1_000_000, 10_000);
  silence.hearBytes(0, 20_000);
  expect(silence.lasts(20_000)).toBe(0);
  silence.hearPercent(62, 30_000);
  expect(silence.lasts(30_000)).toBe(0);
  silence.hearPercent(62, 40_000);
  silence.hearPercent(61, 40_000);
  expect(silence.lasts(40_000)).toBe(10_000);
});

it("is told of once: at first after three seconds, later after a minute [FOL-12]", () => {
  const silence = new Silence(0);
  expect([2999, 3000, 3001, 500_000].map((now) => silence.isNoteDue(now))).toEqual([false, true, false, false]);
  silence.hearBytes(1_000_000, 600_000);
  expect([603_000, 659_999, 660_000, 700_000].map((now) => silence.isNoteDue(now))).toEqual([
    false,
    false,
    true,
    false,
  ]);
});
