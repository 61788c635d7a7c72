import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromBase64url, toBase64url } from "#domain/bytes-as-text.ts";

describe("base64url", () => {
  it("returns the bytes that it was made of", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(fromBase64url(toBase64url(bytes))).toEqual(bytes);
      }),
    );
  });

  it.each([
    [[], ""],
    [[0], "AA"],
    [[255, 239, 191], "_--_"],
    [[102, 111, 111, 98], "Zm9vYg"],
  ])("of %j is %j", (bytes, text) => {
    expect(toBase64url(Uint8Array.from(bytes))).toBe(text);
  });

  it.each(["A", "AAAAA", "AA==", "A+==", "a/b_", "a b_", "AA\n", "é___"])("%j is not base64url", (text) => {
    expect(fromBase64url(text)).toBeNull();
  });
});
