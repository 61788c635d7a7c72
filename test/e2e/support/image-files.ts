import { crc32, deflateSync } from "node:zlib";
import { join, u16, u32 } from "#test/support/pictures/camera-files.ts";

/** Builds whole image files of kinds that no browser writes. */

type Bytes = Uint8Array<ArrayBuffer>;

const PNG_SIGNATURE = join([0x89], "PNG\r\n\u001A\n");
const TRUE_COLOUR = 2;

function pngChunk(name: string, data: Uint8Array): Bytes {
  const content = join(name, data);
  return join(u32(data.length), content, u32(crc32(content)));
}

function png(width: number, height: number, bits: number, rows: Uint8Array): Bytes {
  const header = join(u32(width), u32(height), [bits, TRUE_COLOUR, 0, 0, 0]);
  return join(PNG_SIGNATURE, pngChunk("IHDR", header), pngChunk("IDAT", deflateSync(rows)), pngChunk("IEND", join()));
}

/** An image of one colour with 16 bits a channel. @param colour red, green and blue, from 0 to 65535 */
export function pngOf16Bits(width: number, height: number, colour: [number, number, number]): Bytes {
  const row = join([0], ...Array.from({ length: width }, () => colour.flatMap(u16)));
  return png(width, height, 16, join(...Array.from({ length: height }, () => row)));
}

/** A few KB that claim to be an image of so many pixels, which decoders would fill with black. */
export function pngThatClaims(width: number, height: number): Bytes {
  return png(width, height, 8, new Uint8Array(10_000));
}

/** Two frames of one pixel, red and then blue, as a GIF that repeats (GIF89a specification). */
export const ANIMATED_GIF: Bytes = join(
  "GIF89a",
  [1, 0, 1, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 255],
  [0x21, 0xff, 11],
  "NETSCAPE2.0",
  [3, 1, 0, 0, 0],
  ...[0x44, 0x4c].map((code) =>
    [[0x21, 0xf9, 4, 4, 10, 0, 0, 0].flat(), [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, code, 1, 0]].flat(),
  ),
  [0x3b],
);

const BLOCK_SIDE = 8;
/** The codes of the twelve categories of DC values all have four bits. */
const CATEGORY_BITS = 4;

/**
 * A JPEG of one colour in four channels, as programs for printers write it (ITU-T T.81, and Adobe's segment APP14).
 * @param ink cyan, magenta, yellow and black, from 0 to 255, each inverted as such programs do
 */
export function cmykJpeg(width: number, height: number, ink: [number, number, number, number]): Bytes {
  const segment = (marker: number, content: Uint8Array) => join([0xff, marker], u16(content.length + 2), content);
  const components = [1, 2, 3, 4];
  const blocks = Math.ceil(width / BLOCK_SIDE) * Math.ceil(height / BLOCK_SIDE);
  let bits = "";
  for (let block = 0; block < blocks; block += 1) {
    for (const value of ink) bits += dcBits(block === 0 ? BLOCK_SIDE * (value - 128) : 0);
  }
  const scan = bits.padEnd(Math.ceil(bits.length / 8) * 8, "1").match(/.{8}/g) ?? [];
  // A byte FF of data is followed by 00.
  const data = scan.map((byte) => Number.parseInt(byte, 2)).flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte]));
  return join(
    [0xff, 0xd8],
    segment(0xee, join("Adobe", [0, 100, 0, 0, 0, 0, 0])),
    segment(0xdb, join([0], new Uint8Array(64).fill(1))),
    segment(0xc0, join([8], u16(height), u16(width), [4], ...components.map((id) => [id, 0x11, 0]))),
    // Twelve codes of four bits for DC values, and the code 0 for the end of a block.
    segment(
      0xc4,
      join(
        [0x00, 0, 0, 0, 12],
        new Uint8Array(12),
        Array.from({ length: 12 }, (_, category) => category),
      ),
    ),
    segment(0xc4, join([0x10, 1], new Uint8Array(15), [0])),
    segment(0xda, join([4], ...components.map((id) => [id, 0]), [0, 63, 0])),
    data,
    [0xff, 0xd9],
  );
}

/** The bits of a block that has one value in all places: the difference to the block before, and the end. */
function dcBits(difference: number): string {
  const category = difference === 0 ? 0 : Math.floor(Math.log2(Math.abs(difference))) + 1;
  const value = difference < 0 ? difference + 2 ** category - 1 : difference;
  const magnitude = category === 0 ? "" : value.toString(2).padStart(category, "0");
  return `${category.toString(2).padStart(CATEGORY_BITS, "0")}${magnitude}0`;
}
