import { DAY_MS, GIB, KIB, MIB, SECOND_MS } from "./units.ts";

/** Larger files are uploaded in parts. */
export const SINGLE_PUT_MAX_BYTES = 16 * MIB;

/** R2 platform limit. Parts are 5 MiB to 5 GiB, all of one size except the last. */
export const MAX_PARTS = 10_000;

/** The largest numbers in an upload's summary. Larger numbers are cut to these, because an upload may take days. */
export const SUMMARY_MAX = { count: 10 * MAX_PARTS, seconds: (30 * DAY_MS) / SECOND_MS } as const;

/** Cloudflare's limit on the plans Free and Pro: 100 MB, base 1000. Other zones set MAX_REQUEST_MB. */
export const MAX_REQUEST_BYTES = 100_000_000;

/** @returns the size limit of a request as Cloudflare writes it: base 1000, without a fraction */
export function requestSize(bytes: number): string {
  return `${bytes / 1_000_000} MB`;
}

/** Limits the CPU time that one call spends on signing. */
export const MAX_PARTS_PER_SIGNING = 100;
/** The number of completed parts that one call may report. */
export const MAX_COMPLETED_PARTS_PER_CALL = 2 * MAX_PARTS_PER_SIGNING;

/** The number of part URLs in the answer to a start, so that the first parts need no second call. */
export const PARTS_SIGNED_AT_START = 16;

/** The type that part URLs are signed with, so that no part has a type that a browser would render. */
export const PART_CONTENT_TYPE = "application/octet-stream";

const PART_BYTES = 8 * MIB;
const LARGE_PART_BYTES = 16 * MIB;

export interface PartPlan {
  partSizeBytes: number;
  partCount: number;
}

/** Plans one PUT for a file up to 16 MiB, parts of 8 MiB below 1 GiB, and parts of 16 MiB from 1 GiB on. */
export function planParts(sizeBytes: number): PartPlan {
  if (sizeBytes <= SINGLE_PUT_MAX_BYTES) return { partSizeBytes: sizeBytes, partCount: 1 };
  const partSizeBytes = sizeBytes < GIB ? PART_BYTES : LARGE_PART_BYTES;
  return { partSizeBytes, partCount: Math.ceil(sizeBytes / partSizeBytes) };
}

export function isMultipart(sizeBytes: number): boolean {
  return sizeBytes > SINGLE_PUT_MAX_BYTES;
}

/** A part's bytes, `end` exclusive. @param part from 1 @param partSizeBytes the size that the upload started with */
export function partRange(
  sizeBytes: number,
  part: number,
  partSizeBytes = planParts(sizeBytes).partSizeBytes,
): { start: number; end: number } {
  const start = (part - 1) * partSizeBytes;
  return { start, end: Math.min(start + partSizeBytes, sizeBytes) };
}

export function partLength(sizeBytes: number, part: number, partSizeBytes?: number): number {
  const { start, end } = partRange(sizeBytes, part, partSizeBytes);
  return end - start;
}

/**
 * The size of parts that our server makes of chunks, forms and tus. A part is in memory as a whole, so its size does not
 * grow with the file.
 */
export const SERVER_PART_BYTES = PART_BYTES;

/** The largest file that every transport can upload. A test checks that no plan allows larger files. */
export const MAX_FILE_BYTES = MAX_PARTS * SERVER_PART_BYTES;

/** Chunk size of small files (decision 024). */
export const DEFAULT_CHUNK_BYTES = 256 * KIB;
/** The smallest chunk. A connection that fails with chunks of this size fails with smaller ones, too. */
export const MIN_CHUNK_BYTES = 64 * KIB;
export const MAX_CHUNK_BYTES = SERVER_PART_BYTES;

/**
 * Chunk sizes by the size of the file, ascending. Larger files get larger chunks, because each chunk costs a round
 * trip. The largest chunk fits through a slow connection within a chunk's timeout of 30 seconds.
 */
export const CHUNK_SIZES = [
  { upToBytes: SINGLE_PUT_MAX_BYTES, chunkBytes: DEFAULT_CHUNK_BYTES },
  { upToBytes: 256 * MIB, chunkBytes: MIB },
  { upToBytes: Infinity, chunkBytes: MAX_CHUNK_BYTES },
] as const;

/**
 * @param maxBytes the limit, because larger chunks failed; a limit below 64 KB counts as 64 KB
 * @returns a power of two, to fill parts evenly
 */
export function chunkSizeFor(sizeBytes: number, maxBytes: number = MAX_CHUNK_BYTES): number {
  let size: number = CHUNK_SIZES.find(({ upToBytes }) => sizeBytes <= upToBytes)?.chunkBytes ?? MAX_CHUNK_BYTES;
  while (size > maxBytes && size > MIN_CHUNK_BYTES) size /= 2;
  return size;
}

/** How many chunks a file may have. An empty file has no chunk, or one empty chunk. */
export function chunkCounts(sizeBytes: number): { min: number; max: number } {
  const min = Math.ceil(sizeBytes / MAX_CHUNK_BYTES);
  return { min, max: Math.max(1, Math.ceil(sizeBytes / MIN_CHUNK_BYTES)) };
}
