import { MAX_PACK_BYTES } from "#domain/transfers/limits.ts";
import { nextPackBytes, packEntries, type SizedEntry } from "#domain/transfers/packing.ts";

/** Decides which entries share an object. */
export class ObjectPlanner {
  readonly #listWaiting: () => SizedEntry[];
  #packBytes = MAX_PACK_BYTES;
  /** The next one last. */
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
