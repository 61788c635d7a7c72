import { MAX_PACK_BYTES, MAX_ENTRIES_PER_PACK, MAX_PACK_OBJECT_BYTES } from "#domain/transfers/limits.ts";
import { KIB, MIB } from "#domain/units.ts";

export interface SizedEntry {
  /** The entry's number. */
  n: number;
  /** Bytes. */
  size: number;
}
/** Which entries share an object: every entry stands here once, by its number. */
interface Packing {
  /** Each is an object that is sent in one piece, with its entries in the order of the list. */
  packs: number[][];
  /** Each is an object of its own, sent in the parts of `planParts`. */
  large: number[];
  /** Empty files and folders: they have no object. */
  empty: number[];
}
/** A pack must not take longer on its way: what breaks off is sent again from its start. */
const MAX_PACK_SECONDS = 30;
const PACK_SIZES = [MAX_PACK_BYTES, MIB, 256 * KIB];
const SMALLEST_PACK_BYTES = 256 * KIB;

/** Decides which entries share an object. */
export class ObjectPlanner {
  readonly #listWaiting: () => SizedEntry[];
  #packBytes = MAX_PACK_BYTES;
  /** The planned objects; the next one is the last of the array. */
  #planned: number[][] | null = null;

  /** @param listWaiting entries with bytes that are in no object, in ascending order */
  constructor(listWaiting: () => SizedEntry[]) {
    this.#listWaiting = listWaiting;
  }

  /** Call when entries begin or cease to wait, other than by `next`. */
  invalidate(): void {
    this.#planned = null;
  }

  /** @returns entry numbers of the next object, in the order of their bytes; null when nothing waits */
  next(): number[] | null {
    this.#planned ??= this.#plan();
    return this.#planned.pop() ?? null;
  }

  /**
   * Adapts the size of packs to the line.
   * @param sent a pack, or its first bytes, with their time on the way
   * @returns whether packs are smaller from now on
   */
  measure(sent: { bytes: number; seconds: number }): boolean {
    const before = this.#packBytes;
    this.#packBytes = nextPackBytes(before, sent);
    if (this.#packBytes !== before) this.invalidate();
    return this.#packBytes < before;
  }

  #plan(): number[][] {
    const { packs, large } = packEntries(this.#listWaiting(), this.#packBytes);
    return [...packs, ...large.map((n) => [n])].sort(([a = 0], [b = 0]) => b - a);
  }
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
