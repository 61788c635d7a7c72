import { expect, it } from "vitest";
import { isIndexLast } from "#domain/mp4.ts";

/** The box's header, and as many bytes of its content as `shown`. */
function box(type: string, sizeBytes: number, shown = sizeBytes - 8): number[] {
  const size = [24, 16, 8, 0].map((shift) => (sizeBytes >>> shift) & 0xff);
  return [...size, ...new TextEncoder().encode(type), ...Array.from({ length: shown }, () => 0)];
}

/** A box whose size takes eight bytes, as that of media from 4 GB. */
function largeBox(type: string, sizeBytes: bigint): number[] {
  const size = new Uint8Array(8);
  new DataView(size.buffer).setBigUint64(0, sizeBytes);
  return [0, 0, 0, 1, ...new TextEncoder().encode(type), ...size];
}

const FILE_TYPE = box("ftyp", 32);

it.each([
  ["media before the index", [...FILE_TYPE, ...box("mdat", 5000, 100)], true],
  ["media of 5 GB before the index", [...FILE_TYPE, ...largeBox("mdat", 5_000_000_000n)], true],
  ["what a phone writes before the media", [...box("ftyp", 20), ...box("wide", 8), ...box("mdat", 9000, 50)], true],
  ["the index first", [...FILE_TYPE, ...box("moov", 3000, 100), ...box("mdat", 5000, 0)], false],
  ["the index behind free space", [...FILE_TYPE, ...box("free", 64), ...box("moov", 3000, 0)], false],
  ["a box that reaches behind the bytes", [...FILE_TYPE, ...box("uuid", 60_000, 100)], false],
  ["a large box that reaches behind the bytes", [...FILE_TYPE, ...largeBox("uuid", 60_000n)], false],
  ["a box without an end", [...FILE_TYPE, ...box("uuid", 0, 100), ...box("mdat", 5000, 0)], false],
  ["a size that is none", [...box("ftyp", 4, 24), ...box("mdat", 5000, 0)], false],
  ["no film", [...new TextEncoder().encode("ID3, and what is in an MP3")], false],
  ["too few bytes", [0, 0, 0], false],
  ["nothing", [], false],
])("%s: the index is last is %s [FOL-11]", (_, bytes, expected) => {
  expect(isIndexLast(new Uint8Array(bytes))).toBe(expected);
});
