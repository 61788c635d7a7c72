import { MIB } from "#domain/units.ts";
import { orientationOf, readJpeg, textAt, type ImageHeader } from "./image-header.ts";

/** How far into a RAW file a camera's JPEG is looked for. Cameras write it before the data of their sensor. */
export const SCANNED_BYTES = 8 * MIB;
/** A smaller JPEG is the icon that a camera shows in its own list. */
const MIN_SIDE = 320;
const BYTES_OF_HEADER = 16;

/** A JPEG within another file. Its `notes` count from its first byte. */
export interface EmbeddedJpeg extends ImageHeader {
  /** The offset of its first byte. Its end is unknown, and decoders find it themselves. */
  at: number;
}

/**
 * Finds the JPEG that a camera wrote into its RAW or HEIC file. Formats differ in how they point to it, so every place
 * that looks like the beginning of a JPEG is tried.
 * @param bytes the beginning of the file @param side the wanted longer side in pixels
 * @returns the smallest JPEG that is large enough, else the largest; null if none has 320 pixels
 */
export function findJpeg(bytes: Uint8Array, side: number): EmbeddedJpeg | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let best: EmbeddedJpeg | null = null;
  for (let at = bytes.indexOf(0xff); at >= 0 && at + BYTES_OF_HEADER < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    if (bytes[at + 1] !== 0xd8 || bytes[at + 2] !== 0xff) continue;
    const header = tryJpeg(view, at);
    if (header && sideOf(header) >= MIN_SIDE && (best === null || isBetter(header, best, side)))
      best = { ...header, at };
  }
  if (best === null) return null;
  // Most cameras turn only their own file upright, and not the JPEG in it.
  return best.orientation === 1 ? { ...best, orientation: orientationOfContainer(view) } : best;
}

function tryJpeg(view: DataView, at: number): ImageHeader | null {
  try {
    return readJpeg(new DataView(view.buffer, view.byteOffset + at, view.byteLength - at));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function isBetter(header: ImageHeader, best: ImageHeader, side: number): boolean {
  const [size, bestSize] = [sideOf(header), sideOf(best)];
  if (bestSize < side) return size > bestSize;
  return size >= side && size < bestSize;
}

function sideOf({ width, height }: ImageHeader): number {
  return Math.max(width, height);
}

/** Canon's CR3 has the TIFF structure with the orientation in this box. */
const CANON_BOX = "CMT1";
const CANON_WITHIN_BYTES = 65_536;

function orientationOfContainer(view: DataView): number {
  try {
    // Most RAW formats are TIFF files, with a version of their own behind the byte order.
    if (["II", "MM"].includes(textAt(view, 0, 2))) return orientationOf(view, 0);
    const end = Math.min(CANON_WITHIN_BYTES, view.byteLength - 8);
    for (let at = 0; at < end; at += 1) {
      if (view.getUint8(at) === 0x43 && textAt(view, at, 4) === CANON_BOX) return orientationOf(view, at + 4);
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return 1;
}
