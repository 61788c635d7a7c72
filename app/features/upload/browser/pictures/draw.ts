import { PICTURE_LIMITS, type PictureKind } from "#domain/pictures/limits.ts";
import type { MadePicture } from "#engine/ports.ts";
import type { Decoded } from "./decode.ts";

/** The qualities that are tried until a picture is small enough. The first one shows no difference at these sizes. */
const QUALITIES = [0.8, 0.65, 0.5, 0.35, 0.2];
/** A picture that is still too large, such as noise, is made smaller by this factor. */
const SMALLER = 0.7;
const MAX_SMALLER = 3;

/** Draws a picture upright within the limits of its kind. @returns null if it cannot be written small enough */
export async function draw(decoded: Decoded, kind: PictureKind): Promise<MadePicture | null> {
  const limits = PICTURE_LIMITS[kind];
  let side = Math.min(limits.side, Math.max(decoded.width, decoded.height));
  for (let times = 0; times <= MAX_SMALLER; times += 1) {
    const canvas = drawUpright(decoded, side);
    const image = await write(canvas, limits.bytes);
    if (image) return { image, width: canvas.width, height: canvas.height };
    side = Math.max(1, Math.round(side * SMALLER));
  }
  return null;
}

/** The matrix that turns an image of one by one upright, by its orientation (Exif 2.32, tag 0x0112). */
const TURNS: Record<number, [a: number, b: number, c: number, d: number, e: number, f: number]> = {
  2: [-1, 0, 0, 1, 1, 0],
  3: [-1, 0, 0, -1, 1, 1],
  4: [1, 0, 0, -1, 0, 1],
  5: [0, 1, 1, 0, 0, 0],
  6: [0, 1, -1, 0, 1, 0],
  7: [0, -1, -1, 0, 1, 1],
  8: [0, -1, 1, 0, 0, 1],
};

function drawUpright({ image, width, height, orientation }: Decoded, side: number): OffscreenCanvas {
  const scale = side / Math.max(width, height);
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
  const context = canvas.getContext("2d");
  if (!context) throw new TypeError("this browser draws nothing in a thread");
  context.imageSmoothingQuality = "high";
  context.scale(canvas.width, canvas.height);
  const turn = TURNS[orientation];
  if (turn) context.transform(...turn);
  context.drawImage(image, 0, 0, 1, 1);
  return canvas;
}

async function write(canvas: OffscreenCanvas, maxBytes: number): Promise<Blob | null> {
  const type = await writtenType();
  const written = type === "image/webp" ? canvas : onWhite(canvas);
  for (const quality of QUALITIES) {
    const blob = await written.convertToBlob({ type, quality });
    if (blob.size <= maxBytes) return blob;
  }
  return null;
}

/** JPEG knows no transparency: what is transparent would become black. */
function onWhite(canvas: OffscreenCanvas): OffscreenCanvas {
  const opaque = new OffscreenCanvas(canvas.width, canvas.height);
  const context = opaque.getContext("2d");
  if (!context) throw new TypeError("this browser draws nothing in a thread");
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(canvas, 0, 0);
  return opaque;
}

let isWebpWritten: Promise<boolean> | undefined;

/** A browser that writes no WebP writes PNG in its place. */
async function writtenType(): Promise<"image/webp" | "image/jpeg"> {
  isWebpWritten ??= (async () => {
    const canvas = new OffscreenCanvas(1, 1);
    canvas.getContext("2d");
    return (await canvas.convertToBlob({ type: "image/webp" })).type === "image/webp";
  })();
  return (await isWebpWritten) ? "image/webp" : "image/jpeg";
}
