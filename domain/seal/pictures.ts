import { fromBase64url, toBase64url } from "../bytes-as-text.ts";
import { MAX_VIDEO_SECONDS, PICTURE_LIMITS, SEALED_PICTURE_BYTES, type PictureKind } from "../pictures/limits.ts";
import { readPicture } from "../pictures/read-picture.ts";
import { concat, randomBytes, type Bytes, type ContentKeys } from "./keys.ts";
import { SealError } from "./seal-error.ts";
import { NONCE_BYTES } from "./sizes.ts";

/** The facts about a picture are padded to this length, so that their length says nothing. */
const ABOUT_BYTES = 32;
const PREFIX = new TextEncoder().encode("mayfly/1 picture");
/** The last byte of the additional data. */
const KINDS = { about: 0, tile: 1, view: 2 } as const;

/** What a page must know of a picture before it has the picture. */
export interface PictureFacts {
  /** Pixels of the tile. */
  width: number;
  height: number;
  /** The duration of a video. */
  seconds?: number;
}

/**
 * Encrypts a small picture of a file. The result is bound to the file's stream and to the kind, so that the server can
 * swap no picture for another.
 * @param image a whole WebP or JPEG file @param nonce random outside of tests
 */
export function sealPicture(
  keys: ContentKeys,
  stream: number,
  kind: PictureKind,
  image: Bytes,
  nonce = randomBytes(NONCE_BYTES),
): Promise<Bytes> {
  return seal(keys, aadOf(stream, kind), image, nonce);
}

/**
 * Decrypts a picture, whose sender may be hostile: the type comes from the bytes, so a picture never acts as another kind
 * of file.
 * @param sealed as the server sends it
 * @throws SealError `damaged` when the bytes are not what the sender encrypted, or no WebP or JPEG within the kind's limits
 */
export async function openPicture(
  keys: ContentKeys,
  stream: number,
  kind: PictureKind,
  sealed: Bytes,
): Promise<{ image: Bytes; type: "image/webp" | "image/jpeg" }> {
  const image = await open(keys, aadOf(stream, kind), sealed);
  const read = readPicture(image);
  if (!read || Math.max(read.width, read.height) > PICTURE_LIMITS[kind].side) throw damaged();
  return { image, type: read.type };
}

/** Encrypts the facts about a picture. @param nonce random outside of tests @returns 80 characters of base64url */
export async function sealAbout(
  keys: ContentKeys,
  stream: number,
  { width, height, seconds }: PictureFacts,
  nonce = randomBytes(NONCE_BYTES),
): Promise<string> {
  const facts = JSON.stringify(seconds === undefined ? [width, height] : [width, height, seconds]);
  const plaintext = concat(new TextEncoder().encode(facts.padEnd(ABOUT_BYTES)));
  return toBase64url(await seal(keys, aadOf(stream, "about"), plaintext, nonce));
}

/** @throws SealError `damaged` for facts that the sender has not encrypted, or that break a rule */
export async function openAbout(keys: ContentKeys, stream: number, about: string): Promise<PictureFacts> {
  const sealed = fromBase64url(about);
  if (sealed?.length !== ABOUT_BYTES + SEALED_PICTURE_BYTES) throw damaged();
  const plaintext = await open(keys, aadOf(stream, "about"), sealed);
  const [width, height, seconds] = parseList(new TextDecoder().decode(plaintext));
  if (!isSide(width) || !isSide(height)) throw damaged();
  if (seconds === undefined) return { width, height };
  if (typeof seconds !== "number" || !(seconds >= 0 && seconds <= MAX_VIDEO_SECONDS)) throw damaged();
  return { width, height, seconds };
}

function parseList(json: string): unknown[] {
  try {
    const list: unknown = JSON.parse(json);
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

function isSide(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 && value <= PICTURE_LIMITS.tile.side;
}

async function seal({ picture: key }: ContentKeys, aad: Bytes, plaintext: Bytes, nonce: Bytes): Promise<Bytes> {
  const algorithm = { name: "AES-GCM", iv: nonce, additionalData: aad };
  return concat(nonce, new Uint8Array(await crypto.subtle.encrypt(algorithm, key, plaintext)));
}

async function open({ picture: key }: ContentKeys, aad: Bytes, sealed: Bytes): Promise<Bytes> {
  try {
    const algorithm = { name: "AES-GCM", iv: sealed.subarray(0, NONCE_BYTES), additionalData: aad };
    return new Uint8Array(await crypto.subtle.decrypt(algorithm, key, sealed.subarray(NONCE_BYTES)));
  } catch {
    throw damaged();
  }
}

function aadOf(stream: number, kind: keyof typeof KINDS): Bytes {
  const place = new Uint8Array(5);
  const view = new DataView(place.buffer);
  view.setUint32(0, stream);
  view.setUint8(4, KINDS[kind]);
  return concat(PREFIX, place);
}

function damaged(): SealError {
  return new SealError("damaged", "A picture is not what the sender encrypted.");
}
