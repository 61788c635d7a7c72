/** A picture as its own bytes describe it. */
export interface ReadPicture {
  type: "image/webp" | "image/jpeg";
  /** Pixels. */
  width: number;
  height: number;
}

/**
 * Reads type and size of a whole WebP or JPEG file. @returns null for other bytes, a file that is cut off or goes on
 * behind its end, and an animation
 */
export function readPicture(bytes: Uint8Array): ReadPicture | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const size = textAt(view, 0) === "RIFF" ? sizeOfWebp(view) : sizeOfJpeg(view);
    return size && size.width > 0 && size.height > 0 ? size : null;
  } catch (error) {
    // A read behind the end: the file is cut off.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The flag of an animation in the first byte of a VP8X chunk. */
const ANIMATION = 0x02;

/** Reads a WebP file (RFC 9649, section 2). */
function sizeOfWebp(view: DataView): ReadPicture | null {
  if (textAt(view, 8) !== "WEBP" || view.getUint32(4, true) + 8 !== view.byteLength) return null;
  let canvas: ReadPicture | null = null;
  for (let at = 12; at < view.byteLength;) {
    const [name, length, data] = [textAt(view, at), view.getUint32(at + 4, true), at + 8];
    if (name === "VP8X") {
      if ((view.getUint8(data) & ANIMATION) !== 0) return null;
      canvas = webp(uint24(view, data + 4) + 1, uint24(view, data + 7) + 1);
    } else if (name === "VP8 " || name === "VP8L") {
      if (data + length > view.byteLength) return null;
      const image = name === "VP8 " ? sizeOfVp8(view, data) : sizeOfVp8l(view, data);
      const isCanvas = canvas === null || (image?.width === canvas.width && image.height === canvas.height);
      return isCanvas ? image : null;
    }
    // A chunk of an odd length is followed by a byte of padding.
    at = data + length + (length % 2);
  }
  return null;
}

/** Reads the frame header of a key frame (RFC 6386, section 9.1). */
function sizeOfVp8(view: DataView, at: number): ReadPicture | null {
  const isKeyFrame = (view.getUint8(at) & 1) === 0;
  if (!isKeyFrame || uint24(view, at + 3) !== 0x2a019d) return null;
  return webp(view.getUint16(at + 6, true) & 0x3fff, view.getUint16(at + 8, true) & 0x3fff);
}

/** Reads the header of a lossless image (RFC 9649, section 3.4). */
function sizeOfVp8l(view: DataView, at: number): ReadPicture | null {
  if (view.getUint8(at) !== 0x2f) return null;
  const bits = view.getUint32(at + 1, true);
  return webp((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
}

const webp = (width: number, height: number): ReadPicture => ({ type: "image/webp", width, height });

/** Markers of JPEG (ITU-T T.81, table B.1). */
const START_OF_IMAGE = 0xffd8;
const END_OF_IMAGE = 0xffd9;
/** The markers from SOF0 to SOF15 that begin no frame: DHT, JPG and DAC. */
const NO_FRAMES = [0xc4, 0xc8, 0xcc];

/** Reads the first frame header of a JPEG file (ITU-T T.81, section B.2.2). */
function sizeOfJpeg(view: DataView): ReadPicture | null {
  if (view.getUint16(0) !== START_OF_IMAGE || view.getUint16(view.byteLength - 2) !== END_OF_IMAGE) return null;
  for (let at = 2; view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1);
    // Any number of bytes FF may stand before a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    // Only segments with a length stand before the frame header.
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xda)) return null;
    if (marker <= 0xcf && !NO_FRAMES.includes(marker)) {
      return { type: "image/jpeg", height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    }
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

/** @returns four characters */
function textAt(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(at + index)));
}
