import { MIB } from "#domain/units.ts";
import { findJpeg, SCANNED_BYTES } from "./embedded-jpeg.ts";
import { readHeader, type ImageHeader } from "./image-header.ts";

/** Headers of photographs are this long at most: cameras put notes and small pictures before them. */
const HEADER_BYTES = MIB;
/** An image with more pixels is not decoded: it would take more than 400 MB of memory. */
const MAX_PIXELS = 100_000_000;
/** The decoder of JPEG can leave out work by decoding to a multiple of an eighth of the size. */
const EIGHTHS = 8;

/** A decoded image. */
export interface Decoded {
  image: CanvasImageSource;
  /** Pixels of the file's upright picture. The image may have fewer, but not fewer than were asked for. */
  width: number;
  height: number;
  /** What still has to be done to turn the image upright, as in Exif. */
  orientation: number;
  close(): void;
}

/**
 * Decodes a photograph, or the JPEG in a RAW file.
 * @param side the longer side in pixels for which it is needed @returns null for a file that cannot be decoded
 */
export async function decode(file: Blob, side: number): Promise<Decoded | null> {
  const header = readHeader(new Uint8Array(await file.slice(0, HEADER_BYTES).arrayBuffer()));
  if (header && isDecodable(header)) {
    const decoded = await tryDecode(file, header, side);
    if (decoded) return decoded;
  }
  // A RAW file, or HEIC in a browser that cannot decode it. JPEG files themselves have nothing larger in them.
  if (header?.format === "jpeg") return null;
  const jpeg = findJpeg(new Uint8Array(await file.slice(0, SCANNED_BYTES).arrayBuffer()), side);
  return jpeg && isDecodable(jpeg) ? tryDecode(file.slice(jpeg.at), jpeg, side) : null;
}

function isDecodable({ width, height }: ImageHeader): boolean {
  return width * height <= MAX_PIXELS;
}

async function tryDecode(file: Blob, header: ImageHeader, side: number): Promise<Decoded | null> {
  try {
    if (header.format === "other") return await decodeWhole(file, 1);
    const blob = withoutNotes(file, header);
    // https://www.w3.org/TR/webcodecs/#imagedecoder-interface
    return "ImageDecoder" in globalThis
      ? await decodeSmaller(blob, header, side)
      : await decodeWhole(blob, header.orientation);
  } catch {
    return null;
  }
}

/**
 * Without its notes, no decoder turns the image, so the drawing turns it in every browser. The notes of a JPEG in a RAW
 * file may contradict those of the file itself.
 */
function withoutNotes(file: Blob, { notes }: ImageHeader): Blob {
  const pieces: Blob[] = [];
  let from = 0;
  for (const [start, end] of notes) {
    pieces.push(file.slice(from, start));
    from = end;
  }
  return new Blob([...pieces, file.slice(from)]);
}

/** Decodes a JPEG file at a multiple of an eighth of its size, which takes a fraction of the time. */
async function decodeSmaller(blob: Blob, { width, height, orientation }: ImageHeader, side: number): Promise<Decoded> {
  const eighths = Math.min(EIGHTHS, Math.ceil((EIGHTHS * side) / Math.max(width, height)));
  const decoder = new ImageDecoder({
    type: "image/jpeg",
    data: blob.stream(),
    desiredWidth: Math.ceil((width * eighths) / EIGHTHS),
    desiredHeight: Math.ceil((height * eighths) / EIGHTHS),
  });
  try {
    const { image } = await decoder.decode();
    // The file's own sides give the exact ratio.
    return { ...upright(width, height, orientation), image, close: () => image.close() };
  } finally {
    decoder.close();
  }
}

async function decodeWhole(blob: Blob, orientation: number): Promise<Decoded> {
  const image = await createImageBitmap(blob, { imageOrientation: "from-image" });
  return { ...upright(image.width, image.height, orientation), image, close: () => image.close() };
}

/** From this orientation on, the stored rows are the columns of the upright picture. */
const FIRST_TURNED = 5;

function upright(width: number, height: number, orientation: number) {
  return orientation < FIRST_TURNED ? { width, height, orientation } : { width: height, height: width, orientation };
}
