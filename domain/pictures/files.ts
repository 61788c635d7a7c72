import { extensionOf, mimeTypeOf } from "../mime.ts";
import { MIB } from "../units.ts";

/** A view is made only of photographs above this size: smaller ones are shown themselves. */
export const VIEW_FROM_BYTES = MIB;

/** Types of images in which no browser decodes anything, but whose files mostly hold a JPEG that the camera made. */
const RAW_EXTENSIONS = new Set(["arw", "cr2", "cr3", "dng", "nef", "nrw", "orf", "pef", "raf", "rw2", "srw"]);
/**
 * Images that browsers decode, at least some of them. SVG is missing: it can only be drawn by the page itself, where a
 * drawing made to be slow would stop the page.
 */
const IMAGES = new Set([
  "avif",
  "bmp",
  "gif",
  "heic",
  "heif",
  "jpeg",
  "jpg",
  "pjpeg",
  "png",
  "tiff",
  "webp",
  "x-ms-bmp",
]);

/**
 * Whether it is worth trying to make a picture of a file: of a photograph, or a frame of a video. @param type as the
 * browser told it; "" for none @returns null for all other files
 */
export function pictureSourceOf(filename: string, type: string): "image" | "video" | null {
  const extension = extensionOf(filename);
  // Systems give RAW files types of many kinds, or none.
  if (RAW_EXTENSIONS.has(extension) || extension === "heif") return "image";
  const [kind, subtype = ""] = (mimeTypeOf(filename, type).split(";")[0] ?? "").split("/");
  if (kind === "video") return "video";
  return kind === "image" && IMAGES.has(subtype) ? "image" : null;
}
