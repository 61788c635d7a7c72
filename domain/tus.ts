import { fromBase64, toBase64, toHex } from "./bytes-as-text.ts";
import { LARGEST_FILE_BYTES } from "./plans.ts";
import { MIB } from "./units.ts";

/** The version of tus (https://tus.io/protocols/resumable-upload) that `/api/v1/tus` speaks. */
export const TUS_VERSION = "1.0.0";

/** The type of the body of a PATCH, and of a creation with upload. */
export const TUS_CONTENT_TYPE = "application/offset+octet-stream";

/** Whole pieces of this size are stored while a request is running. */
export const TUS_CHUNK_BYTES = MIB;

/** What examples and errors advise clients to send in one request: it is the most that a broken one may lose. */
export const TUS_REQUEST_BYTES = 16 * MIB;

/** What is reserved for an upload without a size grows by this much. */
export const ROOM_STEP_BYTES = 256 * MIB;

/** What OPTIONS answers. */
export const TUS_ABILITIES = {
  "tus-version": TUS_VERSION,
  "tus-extension": "creation,creation-defer-length,creation-with-upload,termination,checksum,expiration",
  "tus-checksum-algorithm": "sha1,sha256,md5",
  "tus-max-size": String(LARGEST_FILE_BYTES),
} as const;

/** The status of `CHECKSUM_MISMATCH` (extension "checksum" of the protocol). Other calls answer it as 422. */
export const TUS_MISMATCH_STATUS = 460;

/** What an upload's metadata may say. Everything else is ignored. */
const METADATA_KEYS = [
  "filename",
  "name",
  "filetype",
  "type",
  "expires",
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

/** The length of the text by which a client says which of its uploads belong together (`transfer` in the metadata). */
export const TRANSFER_LABEL_MAX_CHARACTERS = 64;

/**
 * Reads `Upload-Metadata`: pairs of a key and a value in Base64, separated by commas. A key may stand without a value.
 * @returns null when it is malformed, names a key twice, or has a text that is not UTF-8
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

/** @param header that `readMetadata` takes @returns the same without a link's password, which is stored nowhere */
export function keptMetadata(header: string): string {
  const pairs = header.split(",");
  const kept = pairs.filter((pair) => pair.trim().split(" ")[0] !== "password");
  return kept.join(",").trim();
}

/** The algorithms, with the length of their digests in bytes. */
const ALGORITHMS: Record<string, { name: "SHA-1" | "SHA-256" | "MD5"; length: number }> = {
  sha1: { name: "SHA-1", length: 20 },
  sha256: { name: "SHA-256", length: 32 },
  md5: { name: "MD5", length: 16 },
};

/** The checksum of one request's bytes. */
export interface TusChecksum {
  /** As WebCrypto names it. */
  algorithm: "SHA-1" | "SHA-256" | "MD5";
  /** Hex. */
  digest: string;
}

/** Reads `Upload-Checksum`: an algorithm and a digest in Base64. @returns null for another algorithm or a wrong length */
export function readChecksum(header: string): TusChecksum | null {
  const [name = "", value = "", ...more] = header.trim().split(" ");
  const algorithm = Object.hasOwn(ALGORITHMS, name) ? ALGORITHMS[name] : undefined;
  const bytes = readBase64(value);
  if (!algorithm || bytes?.byteLength !== algorithm.length || more.length > 0) return null;
  return { algorithm: algorithm.name, digest: toHex(bytes.buffer) };
}

/** Reads `Upload-Length` and `Upload-Offset`, in bytes. @returns null for what is not a whole number of digits */
export function readByteCount(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : null;
}

/** Base64 with its padding. */
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
