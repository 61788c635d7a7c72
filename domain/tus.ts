import { fromBase64, toBase64, toHex } from "./bytes-as-text.ts";
import { LARGEST_FILE_BYTES } from "./plans.ts";
import { MIB } from "./units.ts";

/** The version of tus (https://tus.io/protocols/resumable-upload) that `/api/v1/tus` implements. */
export const TUS_VERSION = "1.0.0";

/** The content type of a PATCH, and of a creation with upload. */
export const TUS_CONTENT_TYPE = "application/offset+octet-stream";

/** The Durable Object keeps bytes that come by tus in rows of this size, and makes parts of the rows. */
export const TUS_ROW_BYTES = MIB;

/** The request size that examples and errors recommend. A request that breaks off loses at most this many bytes. */
export const TUS_REQUEST_BYTES = 16 * MIB;

/** The reserved size of an upload of unknown size grows by this step. */
export const ROOM_STEP_BYTES = 256 * MIB;

/** The headers of the answer to OPTIONS. */
export const TUS_ABILITIES = {
  "tus-version": TUS_VERSION,
  "tus-extension": "creation,creation-defer-length,creation-with-upload,termination,checksum,expiration",
  "tus-checksum-algorithm": "sha1,sha256,md5",
  "tus-max-size": String(LARGEST_FILE_BYTES),
} as const;

/** The status of `CHECKSUM_MISMATCH` in tus (extension "checksum" of the protocol). Other calls answer 422. */
export const TUS_MISMATCH_STATUS = 460;

/** The keys of an upload's metadata that are read. Other keys are ignored. */
const METADATA_KEYS = [
  "filename",
  "name",
  "filetype",
  "type",
  "expires",
  "expiresAt",
  "password",
  "downloads",
  "notify",
  "transfer",
  "senderName",
  "senderEmail",
  "note",
] as const;
export type TusMetadata = Partial<Record<(typeof METADATA_KEYS)[number], string>>;

export const METADATA_MAX_CHARACTERS = 8192;

/** The length of `transfer` in the metadata, a label by which a client marks uploads that belong together. */
export const TRANSFER_LABEL_MAX_CHARACTERS = 64;

/**
 * Reads `Upload-Metadata`: pairs of a key and a value in Base64, separated by commas. A key may have no value.
 * @returns null for a malformed header, a repeated key, or a text that is not UTF-8
 */
export function readMetadata(header: string): TusMetadata | null {
  const metadata: TusMetadata = {};
  const keys = new Set<string>();
  if (header.trim() === "") return metadata;
  for (const pair of header.split(",")) {
    const [key = "", value = "", ...more] = pair.trim().split(" ");
    const bytes = readBase64(value);
    if (key === "" || keys.has(key) || bytes === null || more.length > 0) return null;
    keys.add(key);
    const known = METADATA_KEYS.find((name) => name === key);
    if (!known) continue;
    const text = decode(bytes);
    if (text === null) return null;
    metadata[known] = text;
  }
  return metadata;
}

/** Writes metadata in the form that `readMetadata` reads. */
export function writeMetadata(metadata: TusMetadata): string {
  return Object.entries(metadata)
    .map(([key, value]) => `${key} ${toBase64(new TextEncoder().encode(value))}`)
    .join(",");
}

/** @param header that `readMetadata` takes @returns the header without the link's password, which must not be stored */
export function keptMetadata(header: string): string {
  const pairs = header.split(",");
  const kept = pairs.filter((pair) => pair.trim().split(" ")[0] !== "password");
  return kept.join(",").trim();
}

/** The checksum algorithms, with the length of their digests in bytes. */
const ALGORITHMS: Record<string, { name: "SHA-1" | "SHA-256" | "MD5"; length: number }> = {
  sha1: { name: "SHA-1", length: 20 },
  sha256: { name: "SHA-256", length: 32 },
  md5: { name: "MD5", length: 16 },
};

/** The checksum of one request's bytes. */
export interface TusChecksum {
  /** WebCrypto's name of the algorithm. */
  algorithm: "SHA-1" | "SHA-256" | "MD5";
  /** The digest in hex. */
  digest: string;
}

/** Reads `Upload-Checksum`: an algorithm and a Base64 digest. @returns null for unknown algorithms and wrong lengths */
export function readChecksum(header: string): TusChecksum | null {
  const [name = "", value = "", ...more] = header.trim().split(" ");
  const algorithm = Object.hasOwn(ALGORITHMS, name) ? ALGORITHMS[name] : undefined;
  const bytes = readBase64(value);
  if (!algorithm || bytes?.byteLength !== algorithm.length || more.length > 0) return null;
  return { algorithm: algorithm.name, digest: toHex(bytes.buffer) };
}

/** Reads `Upload-Length` or `Upload-Offset`, in bytes. @returns null for anything but 1 to 15 digits */
export function readByteCount(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : null;
}

/** Reads Base64 with padding. @returns null for other text */
function readBase64(text: string): Uint8Array<ArrayBuffer> | null {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text) ? fromBase64(text) : null;
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
