import { describe, expect, it } from "vitest";
import { findJpeg } from "#app/features/upload/browser/pictures/embedded-jpeg.ts";
import { exif, jpegHeader, join, spread, tiff, u32 } from "#test/support/pictures/camera-files.ts";

const icon = jpegHeader(160, 120);
const small = jpegHeader(640, 424);
const medium = jpegHeader(1620, 1080);
const large = jpegHeader(6000, 4000);
const sensor = jpegHeader(6048, 4024, [], 0xc3);

describe("the JPEG in a RAW file", () => {
  const raw = spread(5000, tiff({ 0x0112: 8 }), icon, large, sensor, medium, small);

  it.each([
    [480, 640],
    [640, 640],
    [1600, 1620],
    [5000, 6000],
    [9000, 6000],
  ])("for %i pixels is the smallest that is large enough, else the largest: %i [PIC-34]", (side, width) => {
    expect(findJpeg(raw, side)?.width).toBe(width);
  });

  it("begins where it is, and is turned as the camera's own file says [PIC-34]", () => {
    const found = findJpeg(raw, 480);
    expect(found?.orientation).toBe(8);
    expect(raw.slice(found?.at, (found?.at ?? 0) + small.length)).toEqual(small);
  });

  it("is turned as it says itself, if it does [PIC-34]", () => {
    expect(findJpeg(spread(100, tiff({ 0x0112: 8 }), jpegHeader(640, 424, [exif(6)])), 480)?.orientation).toBe(6);
  });

  it("of Canon's newer cameras is turned as the box with their notes says [PIC-34]", () => {
    const box = join("CMT1", tiff({ 0x0112: 6 }));
    const cr3 = spread(50, join(u32(24), "ftypcrx "), join(u32(box.length + 4), box), medium);
    expect(findJpeg(cr3, 480)).toMatchObject({ width: 1620, orientation: 6 });
  });

  it("is not taken when it is an icon, or the data of the sensor, or cut off [PIC-34]", () => {
    expect(findJpeg(spread(300, tiff({ 0x0112: 1 }), icon, sensor), 480)).toBeNull();
    expect(findJpeg(medium.slice(0, 28), 480)).toBeNull();
    expect(findJpeg(new Uint8Array(), 480)).toBeNull();
    expect(findJpeg(new Uint8Array(100_000).fill(0xff), 480)).toBeNull();
  });
});
