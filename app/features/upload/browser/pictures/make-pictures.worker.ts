import { PICTURE_LIMITS, type PictureKind } from "#domain/pictures/limits.ts";
import type { MadePicture } from "#engine/ports.ts";
import { answerRequests } from "../answering-thread.ts";
import { decode } from "./decode.ts";
import { draw } from "./draw.ts";

/** A photograph, or a frame of a video that the page has decoded. */
export interface PictureRequest {
  source: Blob | ImageBitmap;
  kind: PictureKind;
}

/** @returns null for a source of which no picture can be made */
async function answer({ source, kind }: PictureRequest): Promise<MadePicture | null> {
  const decoded = source instanceof Blob ? await decode(source, PICTURE_LIMITS[kind].side) : ofBitmap(source);
  if (!decoded) return null;
  try {
    return await draw(decoded, kind);
  } finally {
    decoded.close();
  }
}

function ofBitmap(image: ImageBitmap) {
  const { width, height } = image;
  return { image, width, height, orientation: 1, close: () => image.close() };
}

answerRequests((request: PictureRequest) => answer(request).catch(() => null));
