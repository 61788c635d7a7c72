import { describe, expect, it } from "vitest";
import { decodeText } from "#domain/decode-text.ts";

describe("decoding a text", () => {
  const bytes = (...values: number[]) => new Uint8Array(values);
  it.each([
    ["UTF-8", new TextEncoder().encode("Zürich 🦟 <script>"), "Zürich 🦟 <script>"],
    ["UTF-8 with a byte order mark", bytes(0xef, 0xbb, 0xbf, 0x61), "a"],
    ["UTF-8 cut within a character", new TextEncoder().encode("aé").subarray(0, 2), "a"],
    ["UTF-16, little-endian", bytes(0xff, 0xfe, 0x61, 0x00, 0xfc, 0x00), "aü"],
    ["UTF-16, big-endian", bytes(0xfe, 0xff, 0x00, 0x61, 0x00, 0xfc), "aü"],
    ["Windows-1252", bytes(0x5a, 0xfc, 0x72, 0x69, 0x63, 0x68), "Zürich"],
    ["nothing", bytes(), ""],
  ])("in %s", (_what, encoded, text) => {
    expect(decodeText(encoded)).toBe(text);
  });

  it("binary data is not decoded", () => {
    expect(decodeText(bytes(0x61, 0x00, 0x62))).toBeNull();
  });
});
