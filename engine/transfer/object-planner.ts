import { MAX_PACK_BYTES, MAX_ENTRIES_PER_PACK, MAX_PACK_OBJECT_BYTES } from "#domain/transfers/limits.ts";
import { KIB, MIB } from "#domain/units.ts";

export interface SizedEntry {
  /** The entry's number. */
  n: number;
  /** Bytes. */
  size: number;
}
/** The assignment of entries to objects. Each entry is in one of the lists, by its number. */
interface Packing {
  /** The packs: objects that are sent in one piece, with their entries in the order of the list. */
  packs: number[][];
  /** The large files: each is one object, sent in the parts of `planParts`. */
  large: number[];
  /** Empty files and folders: they have no object. */
  empty: number[];
}
/** The longest time for sending a pack: an interrupted pack is sent again from its start. */
const MAX_PACK_SECONDS = 30;
const PACK_SIZES = [MAX_PACK_BYTES, MIB, 256 * KIB];
const SMALLEST_PACK_BYTES = 256 * KIB;

/** Decides which entries share an object. */
export class ObjectPlanner {
  readonly #listWaiting: () => SizedEntry[];
  #packBytes = MAX_PACK_BYTES;
  /** The planned objects, in reverse order: the next one is the last of the array. */
  #planned: number[][] | null = null;

  /** @param listWaiting entries with bytes that are in no object, in ascending order */
  constructor(listWaiting: () => SizedEntry[]) {
    this.#listWaiting = listWaiting;
  }

  /** Discards the plan. Call it when waiting entries change, other than by `next`. */
  invalidate(): void {
    this.#planned = null;
  }

  /** @returns the entry numbers of the next object, in the order of their bytes; null when nothing waits */
  next(): number[] | null {
    this.#planned ??= this.#plan();
    return this.#planned.pop() ?? null;
  }

  /**
   * Adapts the size of packs to the speed of the line. @param sent a pack or its first bytes, and the time they took
   * @returns whether packs are smaller now
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
 * Joins small files into packs, so that many files cost one request. A file above `maxPackBytes` and up to 16 MiB is a
 * pack of its own, and small files before and after the file share a pack.
 * @param maxPackBytes from `nextPackBytes` @returns the packs in the order of their first entries
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
 * @param current the present size of packs @param sent the bytes of the last object, and the time they took
 * @returns 8 MiB, 1 MiB or 256 KiB: the largest that takes at most 30 s at this speed
 */
export function nextPackBytes(current: number, sent: { bytes: number; seconds: number }): number {
  // A few bytes measure the round trip and not the speed.
  if (sent.bytes < SMALLEST_PACK_BYTES) return current;
  const fits = (size: number) => (size * sent.seconds) / sent.bytes <= MAX_PACK_SECONDS;
  return PACK_SIZES.find(fits) ?? SMALLEST_PACK_BYTES;
}
