import { KIB } from "../units.ts";

/** The size of a stored record. Parts and chunks hold whole records. The last record of a stream is shorter. */
export const RECORD_BYTES = 256 * KIB;
/** The nonce stands before the ciphertext (NIST SP 800-38D, section 8.2). */
export const NONCE_BYTES = 12;
/** AES-GCM's authentication tag stands after the ciphertext. */
export const TAG_BYTES = 16;
const OVERHEAD_BYTES = NONCE_BYTES + TAG_BYTES;
export const RECORD_PLAINTEXT_BYTES = RECORD_BYTES - OVERHEAD_BYTES;

/** The highest number of a stream, and of a record in a stream: both numbers take 32 bits. */
export const MAX_STREAM = 0xffff_ffff;
/** The most plaintext of a stream, 1 PiB: no storage holds as much, and the number is exact. */
export const MAX_STREAM_BYTES = (MAX_STREAM + 1) * RECORD_PLAINTEXT_BYTES;

/** @param plaintextBytes of a stream @returns the number of its records; 1 for an empty stream */
export function recordCount(plaintextBytes: number): number {
  return Math.max(1, Math.ceil(plaintextBytes / RECORD_PLAINTEXT_BYTES));
}

/** @param plaintextBytes of a stream @returns the stored bytes of the stream */
export function sealedSize(plaintextBytes: number): number {
  return plaintextBytes + OVERHEAD_BYTES * recordCount(plaintextBytes);
}

/** @param sealedBytes of a stored stream @returns bytes of its plaintext; null for a size that no stream has */
export function openedSize(sealedBytes: number): number | null {
  const plaintextBytes = sealedBytes - OVERHEAD_BYTES * Math.max(1, Math.ceil(sealedBytes / RECORD_BYTES));
  return plaintextBytes >= 0 && sealedSize(plaintextBytes) === sealedBytes ? plaintextBytes : null;
}

/** The range of a record's plaintext in its stream. @param record from 0 */
export function recordRange(plaintextBytes: number, record: number): { start: number; end: number } {
  const start = record * RECORD_PLAINTEXT_BYTES;
  return { start, end: Math.min(start + RECORD_PLAINTEXT_BYTES, plaintextBytes) };
}

/** @param start first byte of plaintext @param end exclusive @returns the first record, and that after the last */
export function recordsOf(start: number, end: number): { first: number; end: number } {
  const first = Math.floor(start / RECORD_PLAINTEXT_BYTES);
  return { first, end: Math.max(first + 1, Math.ceil(end / RECORD_PLAINTEXT_BYTES)) };
}
