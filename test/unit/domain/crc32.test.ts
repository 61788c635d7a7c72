import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crc32Of, joinCrc32 } from "#domain/checksums.ts";

interface Stretch {
  crc32: number;
  length: number;
}

const bytes = fc.uint8Array({ maxLength: 300 });
const anyCrc32 = fc.integer({ min: 0, max: 0xffffffff });
const anyLength = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const GIB = 1024 ** 3;

const join = (first: Stretch, second: Stretch): Stretch => ({
  crc32: joinCrc32(first.crc32, second.crc32, second.length),
  length: first.length + second.length,
});

describe("the CRC-32 of a few bytes", () => {
  it("of 123456789 is the check value that the catalogues of CRCs give", () => {
    expect(crc32Of(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
  });

  it("is zlib's", () => {
    fc.assert(
      fc.property(bytes, (piece) => {
        expect(crc32Of(piece)).toBe(crc32(piece));
      }),
    );
  });
});

describe("the joined CRC-32", () => {
  it("of every cut of 123456789 is the check value that the catalogues of CRCs give", () => {
    const text = "123456789";
    for (let cut = 0; cut <= text.length; cut += 1)
      expect(joinCrc32(crc32(text.slice(0, cut)), crc32(text.slice(cut)), text.length - cut)).toBe(0xcbf43926);
  });

  it("is the whole's, whatever the cuts and the order of joining", () => {
    const pieces = fc.array(bytes, { minLength: 1, maxLength: 12 });
    const order = fc.array(fc.nat(), { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(pieces, order, (pieces, order) => {
        const left = pieces.map((piece): Stretch => ({ crc32: crc32(piece), length: piece.length }));
        for (const next of order.slice(0, pieces.length - 1)) {
          const at = next % (left.length - 1);
          const [first, second] = left.slice(at, at + 2);
          if (first && second) left.splice(at, 2, join(first, second));
        }
        const whole = Uint8Array.from(pieces.flatMap((piece) => [...piece]));
        expect(left).toEqual([{ crc32: crc32(whole), length: whole.length }]);
      }),
    );
  });

  it("is the second's after nothing, and the first's before nothing", () => {
    fc.assert(
      fc.property(anyCrc32, anyLength, (value, length) => {
        expect(joinCrc32(0, value, length)).toBe(value);
        expect(joinCrc32(value, 0, 0)).toBe(value);
      }),
    );
  });

  it("is an unsigned number of 32 bits that does not depend on the order of joining, up to the largest length", () => {
    const half = fc.nat({ max: Math.floor(Number.MAX_SAFE_INTEGER / 2) });
    fc.assert(
      fc.property(anyCrc32, anyCrc32, anyCrc32, half, half, (a, b, c, lengthOfB, lengthOfC) => {
        const leftFirst = joinCrc32(joinCrc32(a, b, lengthOfB), c, lengthOfC);
        const rightFirst = joinCrc32(a, joinCrc32(b, c, lengthOfC), lengthOfB + lengthOfC);
        expect(leftFirst).toBe(rightFirst);
        expect(leftFirst).toBe(leftFirst >>> 0);
      }),
    );
  });

  // The powers of x modulo the polynomial return to 1 after 2^32 - 1 steps: it is primitive.
  it("of a second stretch beyond 4 GiB goes on where the powers of x begin again", () => {
    const [first, second] = [crc32("first"), crc32("second")];
    expect(joinCrc32(first, second, 2 ** 32 - 1)).toBe((first ^ second) >>> 0);
    expect(joinCrc32(first, second, 4 * GIB + 6)).toBe(joinCrc32(first, second, 7));
    expect(joinCrc32(first, second, 2 ** 20 * (2 ** 32 - 1) + 6)).toBe(crc32("firstsecond"));
  });
});
