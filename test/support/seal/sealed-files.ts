import {
  concat,
  deriveContentKeys,
  deriveLinkKeys,
  randomBytes,
  wrapSecret,
  type Bytes,
  type ContentKeys,
  type LinkKeys,
} from "#domain/seal/keys.ts";
import { deriveStreamKeys, sealRecords, type StreamKeys } from "#domain/seal/records.ts";
import { RECORD_BYTES } from "#domain/seal/sizes.ts";

/** All that a sender has. */
export interface Sender {
  secret: Bytes;
  linkSecret: Bytes;
  salt: Bytes;
  link: LinkKeys;
  keys: ContentKeys;
  wrap: Bytes;
}

/** @param passwordHash 32 bytes for a link with a password */
export async function newSender(passwordHash: Bytes = new Uint8Array()): Promise<Sender> {
  const [secret, linkSecret, salt] = [randomBytes(32), randomBytes(32), randomBytes(16)];
  const link = await deriveLinkKeys(linkSecret, passwordHash, salt);
  const keys = await deriveContentKeys(secret, salt);
  return { secret, linkSecret, salt, link, keys, wrap: await wrapSecret(secret, link) };
}

export interface SealedStream {
  keys: StreamKeys;
  plaintext: Bytes;
  sealed: Bytes;
  nonces: Bytes;
}

export async function sealStream(content: ContentKeys, stream: number, plaintext: Bytes): Promise<SealedStream> {
  const keys = await deriveStreamKeys(content, stream, plaintext.length);
  const { pieces, nonces } = await sealRecords(keys, 0, plaintext);
  return { keys, plaintext, sealed: concat(...pieces), nonces };
}

/** Bytes that do not repeat within a record. */
export function plainBytes(length: number, salt = 0): Bytes {
  const bytes = new Uint8Array(length);
  let state = (salt * 2_654_435_761 + 1) >>> 0;
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param digits two for each byte */
export function fromHex(digits = ""): Bytes {
  return Uint8Array.from({ length: digits.length / 2 }, (_, at) =>
    Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16),
  );
}

/** @param partSizeBytes a multiple of a record, as parts above 16 MiB are @returns the records of the part */
export function recordsOfPart(
  sealedBytes: number,
  part: number,
  partSizeBytes: number,
): { first: number; end: number } {
  const start = (part - 1) * partSizeBytes;
  const end = Math.min(start + partSizeBytes, sealedBytes);
  return { first: start / RECORD_BYTES, end: Math.ceil(end / RECORD_BYTES) };
}
