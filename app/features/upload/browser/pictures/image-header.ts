/** What the first bytes of an image file say about it, before anything is decoded. */
export interface ImageHeader {
  format: "jpeg" | "other";
  /** Pixels, as they are stored. */
  width: number;
  height: number;
  /**
   * How to turn the pixels of a JPEG file upright (Exif 2.32, tag 0x0112), from 1 to 8. 1 if the file does not say. The
   * decoders turn all other formats.
   */
  orientation: number;
  /** Where a JPEG file has Exif notes: first byte, and the one after the last. */
  notes: [start: number, end: number][];
}

/**
 * Reads the header of an image file, without trusting it: a file of a few KB may claim to have a billion pixels.
 * @param bytes the beginning of the file @returns null for an unknown format, or if the header is not in `bytes`
 */
export function readHeader(bytes: Uint8Array): ImageHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const header = readJpeg(view) ?? readOther(view);
    return header && header.width > 0 && header.height > 0 ? header : null;
  } catch (error) {
    // A read behind the end of the bytes.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const START_OF_IMAGE = 0xffd8;
const EXIF_SEGMENT = 0xe1;
const START_OF_SCAN = 0xda;
/** The frames that browsers decode: baseline, extended and progressive. Lossless ones hold the data of a RAW file. */
const FRAMES = [0xc0, 0xc1, 0xc2];

/** Walks the segments of a JPEG file (ITU-T T.81, section B.2) up to its frame. */
export function readJpeg(view: DataView): ImageHeader | null {
  if (view.getUint16(0) !== START_OF_IMAGE) return null;
  let orientation = 1;
  const notes: ImageHeader["notes"] = [];
  for (let segment = 2; view.getUint8(segment) === 0xff;) {
    const marker = view.getUint8(segment + 1);
    // Any number of bytes FF may stand before a marker.
    if (marker === 0xff) {
      segment += 1;
      continue;
    }
    const length = view.getUint16(segment + 2);
    if (FRAMES.includes(marker)) {
      const [height, width] = [view.getUint16(segment + 5), view.getUint16(segment + 7)];
      return { format: "jpeg", width, height, orientation, notes };
    }
    if (marker < 0xc0 || marker === START_OF_SCAN || length < 2) return null;
    if (marker === EXIF_SEGMENT && textAt(view, segment + 4, 4) === "Exif") {
      // The first notes count.
      if (notes.length === 0) orientation = orientationOf(view, segment + 10, segment + 2 + length);
      notes.push([segment, segment + 2 + length]);
    }
    segment += 2 + length;
  }
  return null;
}

const ORIENTATION_TAG = 0x0112;
const WIDTH_TAG = 0x0100;
const HEIGHT_TAG = 0x0101;
const ENTRY_BYTES = 12;

/** Reads the orientation in a TIFF structure. @param at of its first byte @param end of the bytes that may hold it */
export function orientationOf(view: DataView, at: number, end = view.byteLength): number {
  const orientation = readDirectory(view, at, end).get(ORIENTATION_TAG) ?? 1;
  return orientation >= 1 && orientation <= 8 ? orientation : 1;
}

/** The numbers of the first directory of a TIFF structure (TIFF 6.0, section 2), by tag. Empty if there is none. */
function readDirectory(view: DataView, at: number, end: number): Map<number, number> {
  const values = new Map<number, number>();
  const order = textAt(view, at, 2);
  if ((order !== "II" && order !== "MM") || at + 8 > end) return values;
  const isLittle = order === "II";
  const start = at + view.getUint32(at + 4, isLittle);
  if (start + 2 > end) return values;
  const count = view.getUint16(start, isLittle);
  for (
    let entry = start + 2;
    entry < start + 2 + count * ENTRY_BYTES && entry + ENTRY_BYTES <= end;
    entry += ENTRY_BYTES
  ) {
    const isShort = view.getUint16(entry + 2, isLittle) === 3;
    const value = isShort ? view.getUint16(entry + 8, isLittle) : view.getUint32(entry + 8, isLittle);
    values.set(view.getUint16(entry, isLittle), value);
  }
  return values;
}

function readOther(view: DataView): ImageHeader | null {
  const size = readPng(view) ?? readGif(view) ?? readBmp(view) ?? readWebp(view) ?? readHeif(view) ?? readTiff(view);
  return size && { format: "other", orientation: 1, notes: [], ...size };
}

interface Size {
  width: number;
  height: number;
}

function readPng(view: DataView): Size | null {
  if (textAt(view, 1, 3) !== "PNG" || textAt(view, 12, 4) !== "IHDR") return null;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

function readGif(view: DataView): Size | null {
  if (textAt(view, 0, 4) !== "GIF8") return null;
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function readBmp(view: DataView): Size | null {
  if (textAt(view, 0, 2) !== "BM") return null;
  // A negative height means that the first row is on top.
  return { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) };
}

/** RFC 9649, sections 2.5 to 2.7. */
function readWebp(view: DataView): Size | null {
  if (textAt(view, 0, 4) !== "RIFF" || textAt(view, 8, 4) !== "WEBP") return null;
  const chunk = textAt(view, 12, 4);
  const uint24 = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
  if (chunk === "VP8X") return { width: uint24(24) + 1, height: uint24(27) + 1 };
  if (chunk === "VP8L") {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

const FILE_TYPE_BOX = "ftyp";
/** AVIF and HEIC say the size of each of their images in a box of this type (ISO/IEC 23008-12, section 6.5.3). */
const SIZE_BOX = "ispe";
/** How far into a file its size boxes stand. */
const SIZES_WITHIN_BYTES = 65_536;

/** @returns the size of the largest image, of which the others are tiles or thumbnails */
function readHeif(view: DataView): Size | null {
  if (textAt(view, 4, 4) !== FILE_TYPE_BOX) return null;
  let largest: Size | null = null;
  const end = Math.min(view.byteLength - 16, SIZES_WITHIN_BYTES);
  for (let at = 0; at < end; at += 1) {
    if (view.getUint8(at) !== 0x69 || textAt(view, at, 4) !== SIZE_BOX) continue;
    const size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
    if (size.width * size.height > (largest ? largest.width * largest.height : 0)) largest = size;
  }
  return largest;
}

function readTiff(view: DataView): Size | null {
  const values = readDirectory(view, 0, view.byteLength);
  const [width, height] = [values.get(WIDTH_TAG), values.get(HEIGHT_TAG)];
  return width === undefined || height === undefined ? null : { width, height };
}

export function textAt(view: DataView, at: number, length: number): string {
  let text = "";
  for (let index = at; index < at + length; index += 1) text += String.fromCodePoint(view.getUint8(index));
  return text;
}
