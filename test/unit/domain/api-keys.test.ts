import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createKey, hasRunOut, isKey, keyOf, keyRemindAt, lastFourOf } from "#domain/api-keys.ts";
import { endsAt } from "#domain/expiry.ts";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".split("");
const random = fc.string({ unit: fc.constantFrom(...DIGITS), minLength: 32, maxLength: 32 });
const NOW = Date.UTC(2026, 10, 23, 12);

describe("a key", () => {
  it.each([
    // CRC-32 2700251856, 4139362634, 1546885699, 7856.
    ["00000000000000000000000000000000", "2wjyrI"],
    ["zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", "4W8LJS"],
    ["0123456789ABCDEFGHIJKLMNOPQRSTUV", "1ggZdL"],
    ["9scbRYjvDIcALY0lSDlCE5THhyySDXuM", "00022i"],
  ])("made of %s ends in its checksum %s", (characters, checksum) => {
    expect(keyOf(characters)).toBe(`mayfly_${characters}${checksum}`);
    expect(isKey(`mayfly_${characters}${checksum}`)).toBe(true);
  });

  it("ends in the CRC-32 of its characters, read as a number of base 62 [KEY-1]", () => {
    fc.assert(
      fc.property(random, (characters) => {
        const checksum = keyOf(characters).slice(-6);
        const value = checksum.split("").reduce((sum, digit) => sum * 62 + DIGITS.indexOf(digit), 0);
        expect(value).toBe(crc32(characters));
      }),
    );
  });

  it("is no key with any one character changed, left out or added [KEY-1]", () => {
    const change = fc.record({ at: fc.nat({ max: 44 }), to: fc.constantFrom(...DIGITS), cut: fc.nat({ max: 1 }) });
    fc.assert(
      fc.property(random, change, (characters, { at, to, cut }) => {
        const key = keyOf(characters);
        const changed = `${key.slice(0, at)}${to}${key.slice(at + cut)}`;
        expect(isKey(changed)).toBe(changed === key);
        expect(isKey(`${key.slice(0, at)}${key.slice(at + 1)}`)).toBe(false);
      }),
    );
  });

  it.each(["", "mayfly_", "mayfly", `Mayfly_${"0".repeat(32)}2wjyrI`, ` ${keyOf("0".repeat(32))}`, "é".repeat(45)])(
    "is not %j",
    (text) => {
      expect(isKey(text)).toBe(false);
    },
  );

  it("is new each time, has 45 characters, and uses all 62 of them", () => {
    const keys = Array.from({ length: 200 }, createKey);
    expect(new Set(keys).size).toBe(200);
    for (const key of keys) expect([key.length, isKey(key)]).toEqual([45, true]);
    expect(new Set(keys.flatMap((key) => key.slice(7, 39).split(""))).size).toBe(62);
  });

  it("is shown by its last four characters", () => {
    expect(lastFourOf(keyOf("0".repeat(32)))).toBe("jyrI");
  });
});

describe("the life of a key", () => {
  it.each([
    ["7d", "2026-11-30T12:00:00.000Z", null],
    ["30d", "2026-12-23T12:00:00.000Z", "2026-12-16T12:00:00.000Z"],
    ["90d", "2027-02-21T12:00:00.000Z", "2027-02-14T12:00:00.000Z"],
    ["1y", "2027-11-23T12:00:00.000Z", "2027-11-16T12:00:00.000Z"],
    ["never", null, null],
  ] as const)(
    "of %s that was made on 23 November 2026 ends at %s, and its mail is due at %s",
    (lifetime, end, mail) => {
      const moments = [endsAt(lifetime, NOW), keyRemindAt(lifetime, NOW)];
      expect(moments.map((at) => (at === null ? null : new Date(at).toISOString()))).toEqual([end, mail]);
    },
  );

  it("is over at its last millisecond, and never without one", () => {
    expect([hasRunOut(NOW, NOW - 1), hasRunOut(NOW, NOW), hasRunOut(null, NOW)]).toEqual([false, true, false]);
  });
});
