import { describe, expect, it } from "vitest";
import { readHeader } from "#app/features/upload/browser/pictures/image-header.ts";
import { exif, jpegHeader, join, tiff, u32 } from "#test/support/pictures/camera-files.ts";
import { webpHeader } from "#test/support/pictures/webp.ts";

const le16 = (value: number) => [value & 255, value >> 8];
const le24 = (value: number) => [...le16(value & 0xffff), value >> 16];
const ispe = (width: number, height: number) => join(u32(20), "ispe", u32(0), u32(width), u32(height));

describe("the header of an image", () => {
  it.each([
    ["PNG", join([0x89], "PNG\r\n\u001A\n", u32(13), "IHDR", u32(30_000), u32(30_000)), 30_000, 30_000],
    ["GIF", join("GIF89a", le16(500), le16(281)), 500, 281],
    ["BMP", join("BM", new Uint8Array(16), [64, 1, 0, 0], [56, 255, 255, 255]), 320, 200],
    ["lossless WebP", webpHeader(16_383, 2), 16_383, 2],
    [
      "WebP",
      join("RIFF", [0, 0, 0, 0], "WEBPVP8 ", [0, 0, 0, 0], [0, 0, 0, 0x9d, 1, 0x2a], le16(800), le16(600)),
      800,
      600,
    ],
    [
      "animated WebP",
      join("RIFF", [0, 0, 0, 0], "WEBPVP8X", [10, 0, 0, 0], [2, 0, 0, 0], le24(1023), le24(767)),
      1024,
      768,
    ],
    [
      "HEIC with tiles",
      join(u32(24), "ftypheic", ispe(512, 512), ispe(4032, 3024), ispe(320, 240), new Uint8Array(20)),
      4032,
      3024,
    ],
    ["TIFF", tiff({ 0x0100: 6000, 0x0101: 4000 }, false), 6000, 4000],
  ])("%s says its size [PIC-33]", (_name, bytes, width, height) => {
    expect(readHeader(bytes)).toEqual({ format: "other", width, height, orientation: 1, notes: [] });
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "of a JPEG file says its orientation, %i, in either byte order [PIC-33]",
    (orientation) => {
      for (const isLittle of [true, false]) {
        const header = readHeader(jpegHeader(4000, 3000, [exif(orientation, isLittle)]));
        expect(header).toMatchObject({ format: "jpeg", width: 4000, height: 3000, orientation });
      }
    },
  );

  it("of a JPEG file says where its notes are, and the first notes count [PIC-33]", () => {
    const bytes = jpegHeader(40, 30, [exif(6), exif(8)]);
    const header = readHeader(bytes);
    expect(header?.orientation).toBe(6);
    expect(
      header?.notes.map(([start, end]) => String.fromCharCode(...bytes.slice(start + 4, start + 8)) + (end - start)),
    ).toEqual(["Exif36", "Exif36"]);
    expect(header?.notes[1]?.[0]).toBe(header?.notes[0]?.[1]);
  });

  it.each([0, 9, 255])(
    "of a JPEG file with the orientation %i, which there is not, is upright [PIC-33]",
    (orientation) => {
      expect(readHeader(jpegHeader(40, 30, [exif(orientation)]))?.orientation).toBe(1);
    },
  );

  it.each([
    ["nothing", new Uint8Array()],
    ["a text", join("This is no picture, although it is long enough for one. It goes on.")],
    ["a drawing", join('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"></svg>')],
    ["a picture without pixels", join("GIF89a", le16(0), le16(281))],
    ["a lossless JPEG, as in RAW files", jpegHeader(4000, 3000, [], 0xc3)],
    ["a JPEG whose segment has no length", join([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0, 0])],
    ["a PNG without its first chunk", join([0x89], "PNG\r\n\u001A\n", u32(13), "tEXt", u32(1), u32(1))],
  ])("of %s is unknown [PIC-33]", (_name, bytes) => {
    expect(readHeader(bytes)).toBeNull();
  });

  it("that is cut off anywhere is unknown, and reading it always ends [PIC-33]", () => {
    const whole = jpegHeader(4000, 3000, [exif(6)]);
    const known = Array.from({ length: whole.length }, (_, length) => readHeader(whole.slice(0, length)) !== null);
    // The frame header's size ends 19 bytes before the end of the file.
    expect(known.indexOf(true)).toBe(whole.length - 17);
    const garbage = Uint8Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256);
    for (let at = 0; at < 4000; at += 1) readHeader(join([0xff, 0xd8, 0xff], garbage.slice(at, at + 500)));
  });
});
