import { GIB, MIB } from "./units.ts";

/** Files up to this size go up in one PUT; larger ones in parts (design, One picture). */
export const SINGLE_PUT_MAX_BYTES = 16 * MIB;

/** R2 takes at most this many parts, from 5 MiB to 5 GiB, all equal but the last (R2 platform limits). */
export const MAX_PARTS = 10_000;

/** Part URLs are signed at most so many at a time: signing costs CPU (design, One picture). */
export const MAX_PARTS_PER_SIGNING = 100;

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
