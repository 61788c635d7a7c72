import { GIB, KIB, MIB } from "./units.ts";

/** Files up to this size go up in one PUT; larger ones in parts (design, One picture). */
export const SINGLE_PUT_MAX_BYTES = 16 * MIB;

/** R2 takes at most this many parts, from 5 MiB to 5 GiB, all equal but the last (R2 platform limits). */
export const MAX_PARTS = 10_000;

/** A Worker takes at most 100 MB a request (Workers platform limit). */
export const MAX_REQUEST_BYTES = 100_000_000;

/** Part URLs are signed at most so many at a time: signing costs CPU (design, One picture). */
export const MAX_PARTS_PER_SIGNING = 100;

/** So many part URLs come with the start, so that the first parts need not wait for another call. */
export const PARTS_SIGNED_AT_START = 16;

/** Parts carry this type, so that a signed part URL takes nothing a browser would show. */
export const PART_CONTENT_TYPE = "application/octet-stream";

const PART_BYTES = 8 * MIB;
const LARGE_PART_BYTES = 16 * MIB;

export interface PartPlan {
  partSizeBytes: number;
  partCount: number;
}

/**
 * How a file is cut: one piece up to 16 MiB, 8 MiB parts below 1 GB, 16 MiB parts above.
 * Fixed when the upload starts.
 * @param sizeBytes the file's size, zero or more
 */
export function planParts(sizeBytes: number): PartPlan {
  if (sizeBytes <= SINGLE_PUT_MAX_BYTES) return { partSizeBytes: sizeBytes, partCount: 1 };
  const partSizeBytes = sizeBytes < GIB ? PART_BYTES : LARGE_PART_BYTES;
  return { partSizeBytes, partCount: Math.ceil(sizeBytes / partSizeBytes) };
}

/** Whether a file of that size goes up in parts. */
export function isMultipart(sizeBytes: number): boolean {
  return sizeBytes > SINGLE_PUT_MAX_BYTES;
}

/**
 * Where a part lies in the file.
 * @param part part number, from 1
 * @returns byte offsets, end exclusive
 */
export function partRange(sizeBytes: number, part: number): { start: number; end: number } {
  const { partSizeBytes } = planParts(sizeBytes);
  const start = (part - 1) * partSizeBytes;
  return { start, end: Math.min(start + partSizeBytes, sizeBytes) };
}

/** How many bytes a part holds. */
export function partLength(sizeBytes: number, part: number): number {
  const { start, end } = partRange(sizeBytes, part);
  return end - start;
}

/** Parts of an upload that comes through our own server, in chunks or as a form: within R2's bounds at any size we take. */
export const PROXIED_PART_BYTES = PART_BYTES;

/** One chunk of the chunked upload, unless the server asks for another size (specification 2 section 9). */
export const DEFAULT_CHUNK_BYTES = 256 * KIB;
/** The smallest chunk there is: of a line that fails at this size, nothing smaller helps. */
export const MIN_CHUNK_BYTES = 64 * KIB;
/** The largest chunk there is: a whole part. */
export const MAX_CHUNK_BYTES = PROXIED_PART_BYTES;

/**
 * How large an upload's chunks are. Small chunks get through on any line; with many of them the round trips would take
 * longer than the bytes, so larger files have larger ones, which still go through a slow line in the 30 seconds that a
 * chunk has.
 * @param mostBytes the largest chunk that the client asks for: larger ones did not get through
 * @returns a power of two from 64 KB to 8 MiB, so that chunks fill a part evenly; at most `mostBytes`, unless that is below
 * 64 KB
 */
export function chunkSizeFor(sizeBytes: number, mostBytes = MAX_CHUNK_BYTES): number {
  const wished =
    sizeBytes <= SINGLE_PUT_MAX_BYTES ? DEFAULT_CHUNK_BYTES : sizeBytes <= 256 * MIB ? MIB : MAX_CHUNK_BYTES;
  let size = wished;
  while (size > mostBytes && size > MIN_CHUNK_BYTES) size /= 2;
  return size;
}

/** The fewest and the most chunks that a file of that size can come in; an empty file in none, or in an empty one. */
export function chunkCounts(sizeBytes: number): { least: number; most: number } {
  const least = Math.ceil(sizeBytes / MAX_CHUNK_BYTES);
  return { least, most: Math.max(1, Math.ceil(sizeBytes / MIN_CHUNK_BYTES)) };
}
