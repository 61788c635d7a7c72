import { KIB, MIB } from "../units.ts";
import { MAX_ENTRIES_PER_PACK, MAX_PACK_BYTES, MAX_PACK_OBJECT_BYTES } from "./limits.ts";

export interface SizedEntry {
  /** The entry's number. */
  n: number;
  /** Bytes. */
  size: number;
}

/** Every entry once, by its number. */
export interface Packing {
  /** Each is an object that is sent in one piece, with its entries in the order of the list. */
  packs: number[][];
  /** Each is an object of its own, sent in the parts of `planParts`. */
  large: number[];
  /** Empty files and folders: they have no object. */
  empty: number[];
}

/**
 * Joins small files, so that many of them cost one request. A file above `maxPackBytes` and up to 16 MiB is a pack of
 * its own; the packs around it go on.
 * @param maxPackBytes from `nextPackBytes` @returns packs in the order of their first entries
 */
export function packEntries(entries: readonly SizedEntry[], maxPackBytes = MAX_PACK_BYTES): Packing {
  const packing: Packing = { packs: [], large: [], empty: [] };
  let pack: number[] = [];
  let packBytes = maxPackBytes;
  for (const { n, size } of entries) {
    if (size === 0) packing.empty.push(n);
    else if (size > MAX_PACK_OBJECT_BYTES) packing.large.push(n);
    else if (size > maxPackBytes) packing.packs.push([n]);
    else {
      if (packBytes + size > maxPackBytes || pack.length === MAX_ENTRIES_PER_PACK) {
        pack = [];
        packBytes = 0;
        packing.packs.push(pack);
      }
      pack.push(n);
      packBytes += size;
    }
  }
  return packing;
}

/** A pack must not take longer on its way: what breaks off is sent again from its start. */
const MAX_PACK_SECONDS = 30;
const PACK_SIZES = [MAX_PACK_BYTES, MIB, 256 * KIB];
const SMALLEST_PACK_BYTES = 256 * KIB;

/**
 * @param current size of packs so far @param sent the last object, with its time on the way
 * @returns 8 MiB, 1 MiB or 256 KiB: the largest that takes at most 30 s at this speed
 */
export function nextPackBytes(current: number, sent: { bytes: number; seconds: number }): number {
  // A few bytes measure the round trip, not the line.
  if (sent.bytes < SMALLEST_PACK_BYTES) return current;
  const fits = (size: number) => (size * sent.seconds) / sent.bytes <= MAX_PACK_SECONDS;
  return PACK_SIZES.find(fits) ?? SMALLEST_PACK_BYTES;
}
