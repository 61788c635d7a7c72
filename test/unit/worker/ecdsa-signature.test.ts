import { generateKeyPairSync, sign, verify } from "node:crypto";
import { describe, expect, it } from "vitest";
import { readEcdsaSignature } from "#worker/accounts/ecdsa-signature.ts";

const bytes = (...values: number[]) => Uint8Array.from(values);

describe("a signature of ES256 in DER", () => {
  it("is read as the two numbers that OpenSSL wrote", () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const lengths = new Set<number>();
    for (let at = 0; at < 300; at += 1) {
      const message = new TextEncoder().encode(`message ${at}`);
      const signature = readEcdsaSignature(sign("sha256", message, privateKey));
      if (!signature) throw new Error("the signature was not read");
      const { r, s } = signature;
      lengths.add(r.length);
      const raw = new Uint8Array([...last32(r), ...last32(s)]);
      expect(verify("sha256", message, { key: publicKey, dsaEncoding: "ieee-p1363" }, raw)).toBe(true);
    }
    // With and without the zero byte that keeps a number positive.
    expect([...lengths]).toEqual(expect.arrayContaining([32, 33]));
  });

  it("keeps the zero byte that makes a number positive", () => {
    expect(readEcdsaSignature(bytes(0x30, 7, 2, 2, 0, 0x80, 2, 1, 0x7f))).toEqual({
      r: bytes(0, 0x80),
      s: bytes(0x7f),
    });
  });

  it.each([
    ["nothing", bytes()],
    ["another structure", bytes(0x31, 6, 2, 1, 1, 2, 1, 1)],
    ["a wrong length", bytes(0x30, 7, 2, 1, 1, 2, 1, 1)],
    ["a byte behind it", bytes(0x30, 7, 2, 1, 1, 2, 1, 1, 0)],
    ["one number alone", bytes(0x30, 3, 2, 1, 1)],
    ["a number of another type", bytes(0x30, 6, 2, 1, 1, 3, 1, 1)],
    ["a number that goes on behind the end", bytes(0x30, 6, 2, 1, 1, 2, 2, 1)],
    ["a number without bytes", bytes(0x30, 5, 2, 0, 2, 1, 1)],
    ["a negative number", bytes(0x30, 6, 2, 1, 0x80, 2, 1, 1)],
    ["zero", bytes(0x30, 6, 2, 1, 0, 2, 1, 1)],
    ["a number that could be shorter", bytes(0x30, 7, 2, 2, 0, 1, 2, 1, 1)],
    ["a number of 33 bytes", bytes(0x30, 38, 2, 33, ...Array.from({ length: 33 }, () => 1), 2, 1, 1)],
  ])("is not %s", (_what, wrong) => {
    expect(readEcdsaSignature(wrong)).toBeNull();
  });
});

function last32(number: Uint8Array): Uint8Array {
  const padded = new Uint8Array(33 + number.length);
  padded.set(number, 33);
  return padded.slice(-32);
}
