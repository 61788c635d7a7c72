import * as z from "zod/mini";
import { ABOUT_MAX_LENGTH, MAX_VIDEO_SECONDS, type PictureKind } from "../pictures/limits.ts";
import { MAX_ENTRY_NUMBERS } from "../transfers/limits.ts";

/**
 * The picture of a file. Only a plain link says width and height, which are those of its tile. Only a sealed link has
 * `about`, which its reader opens.
 */
export type PictureInfo = PlainPicture | SealedPicture;

interface PlainPicture {
  /** Pixels. */
  width: number;
  height: number;
  /** The duration of a video. */
  seconds?: number;
  /** Present if there is a view, too. */
  view?: true;
  about?: never;
}

interface SealedPicture {
  /** Encrypted width, height and seconds, in base64url (`domain/seal/pictures.ts`). */
  about: string;
  view?: true;
  width?: never;
  height?: never;
  seconds?: never;
}

/** An entry that has a picture, with the width and height of its tile in pixels. A single file has number 0. */
export type FirstPicture = [n: number, width: number, height: number];

const pixels = z.number().check(z.int(), z.positive());
const view = z.optional(z.literal(true));

/** The schema of a picture in a message. */
const pictureInfo = z.union([
  z.object({ width: pixels, height: pixels, seconds: z.optional(z.number()), view }),
  z.object({ about: z.string(), view }),
]);

/** The most pictures in a message. A form with more pictures is told in several messages. */
export const PICTURES_PER_MESSAGE = 100;

/** A message on an upload's socket: pictures that are stored from now on. */
export const picturesMessage = z.object({
  type: z.literal("pictures"),
  list: z.array(z.tuple([z.number(), pictureInfo])),
});
export interface PicturesMessage {
  type: "pictures";
  list: [n: number, picture: PictureInfo][];
}

/** A field of the form of `POST /api/pictures/{downloadId}`: entry number and what the field is of the entry. */
const FIELD = /^(0|[1-9]\d{0,5})\.(tile|view|seconds|about)$/;

/** @returns the parts of a field's name; null for a name that no field has */
export function readPictureField(name: string): { n: number; what: PictureKind | "seconds" | "about" } | null {
  const [, number, what] = FIELD.exec(name) ?? [];
  const n = Number(number);
  if (what === undefined || n >= MAX_ENTRY_NUMBERS) return null;
  return { n, what: what as PictureKind | "seconds" | "about" };
}

/** The duration of a video in a form, which may have a fraction. */
export const pictureSeconds = z.pipe(
  z.pipe(z.string().check(z.regex(/^\d{1,6}(\.\d{1,6})?$/)), z.transform(Number)),
  z.number().check(z.maximum(MAX_VIDEO_SECONDS)),
);

export const pictureAbout = z.string().check(z.maxLength(ABOUT_MAX_LENGTH), z.regex(/^[\w-]+$/));

/**
 * Why a picture was not stored. `type`: neither WebP nor JPEG, or damaged. `bytes`: empty, or too many bytes.
 * `dimensions`: too many pixels. `seconds`, `about`: the field is wrong, or does not fit the link. `entry`: the link has
 * no such file (or not yet), or it was removed. `tile`: a view of a file that has no tile. `full`: the link has as many
 * pictures as it may have.
 */
export type PictureProblem = "type" | "bytes" | "dimensions" | "seconds" | "about" | "entry" | "tile" | "full";

export interface RefusedPicture {
  n: number;
  kind: PictureKind;
  reason: PictureProblem;
}

export interface StorePicturesAnswer {
  /** The number of stored pictures. */
  stored: number;
  refused: RefusedPicture[];
}

/** Whether previews of links in chats show the first picture. A link may choose otherwise. */
export const previewSettings = z.object({ showsPicture: z.boolean() });
export type PreviewSettings = z.infer<typeof previewSettings>;

/** Whether previews of one link show its first picture; null for the account's setting. */
export const changePreviewRequest = z.object({ showsPicture: z.nullable(z.boolean()) });
