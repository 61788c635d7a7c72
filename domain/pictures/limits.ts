import { NONCE_BYTES, TAG_BYTES } from "../seal/sizes.ts";
import { KIB, MIB } from "../units.ts";

/** `tile`: a small picture of a file, for walls and lists. `view`: a larger one, which fills a screen. */

export type PictureKind = "tile" | "view";

/** The longer side in pixels, and the bytes, of the largest picture of each kind. */
export const PICTURE_LIMITS: Record<PictureKind, { side: number; bytes: number }> = {
  tile: { side: 480, bytes: 48 * KIB },
  view: { side: 1600, bytes: 400 * KIB },
};

/** What sealing adds to a picture: its nonce and its tag. */
export const SEALED_PICTURE_BYTES = NONCE_BYTES + TAG_BYTES;

/** The most tiles, and the most views, of one link. */
export const MAX_PICTURES = 2000;

/** The most forms with pictures for one link. Each form becomes an object in storage. */
export const MAX_PICTURE_FORMS = 2 * MAX_PICTURES;

/** The largest form with pictures, in bytes. */
export const PICTURE_FORM_MAX_BYTES = 4 * MIB;

/** The longest duration of a video in seconds, a little more than a day. */
export const MAX_VIDEO_SECONDS = 100_000;

/** The length of a sealed picture's facts in base64url. */
export const ABOUT_MAX_LENGTH = 128;

/** The pictures that a link's row names: those of its first files that have a tile. */
export const FIRST_PICTURES = 4;

/** A picture in a link's row: the width and height of a file's tile and, if it has one, of its view. */
export type StoredPicture = [n: number, width: number, height: number, viewWidth?: number, viewHeight?: number];
