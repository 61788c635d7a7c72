/** Builds the beginnings of files as cameras write them. Only what readers of headers look at is there. */

type Bytes = Uint8Array<ArrayBuffer>;

/** Joins texts, numbers of bytes, and bytes. */
export function join(...pieces: (string | Uint8Array | number[])[]): Bytes {
  return new Uint8Array(
    pieces.flatMap((piece) =>
      typeof piece === "string" ? Array.from(piece, (letter) => letter.codePointAt(0) ?? 0) : [...piece],
    ),
  );
}

export const u16 = (value: number) => [value >> 8, value & 255];
export const u32 = (value: number) => [...u16(value >>> 16), ...u16(value & 0xffff)];
const little = (bytes: number[]) => bytes.map((_, at) => bytes[bytes.length - 1 - at] ?? 0);

/** A TIFF structure with the given numbers by tag, all as 16 bits. @param isLittle its byte order */
export function tiff(values: Record<number, number>, isLittle = true): Bytes {
  const order = (bytes: number[]) => (isLittle ? little(bytes) : bytes);
  const entries = Object.entries(values).flatMap(([tag, value]) => [
    ...order(u16(Number(tag))),
    ...order(u16(3)),
    ...order(u32(1)),
    ...order(u16(value)),
    0,
    0,
  ]);
  const count = order(u16(Object.keys(values).length));
  return join(isLittle ? "II" : "MM", order(u16(42)), order(u32(8)), count, entries, [0, 0, 0, 0]);
}

const segment = (marker: number, content: Uint8Array) => join([0xff, marker], u16(content.length + 2), content);

/** Exif notes of a JPEG file, with an orientation. */
export const exif = (orientation: number, isLittle = true) =>
  segment(0xe1, join("Exif\0\0", tiff({ 0x0112: orientation }, isLittle)));

/** The segments of a JPEG file up to its frame header. @param frame the marker of the frame */
export function jpegHeader(width: number, height: number, notes: Uint8Array[] = [], frame = 0xc0): Bytes {
  const jfif = segment(0xe0, join("JFIF\0", [1, 1, 0, 0, 1, 0, 1, 0, 0]));
  const sof = segment(frame, join([8], u16(height), u16(width), [3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]));
  return join([0xff, 0xd8], jfif, ...notes, sof, [0xff, 0xda, 0, 2, 1, 2, 3]);
}

/** A file with other bytes between the given ones. */
export function spread(gapBytes: number, ...pieces: Uint8Array[]): Bytes {
  // Bytes FF D8 FF in other data must not be taken for a JPEG.
  const gap = Uint8Array.from({ length: gapBytes }, (_, at) => [0xff, 0xd8, 0xff, 0x13, at % 251][at % 5] ?? 0);
  return join(...pieces.flatMap((piece) => [piece, gap]));
}
