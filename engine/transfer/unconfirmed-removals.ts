import type { RemovalStore } from "../ports.ts";
import { onceSoon } from "./once-soon.ts";

/**
 * Entries that the person removed and the server has not removed yet. They are kept, so that they do not come
 * back when the transfer goes on.
 */
export class UnconfirmedRemovals {
  readonly #store: RemovalStore;
  readonly #numbers = new Set<number>();
  #uploadId: string | null = null;
  /** Thousands of files that are removed at once are saved once. */
  readonly #save = onceSoon(() => {
    if (this.#uploadId !== null) this.#store.write(this.#uploadId, [...this.#numbers]);
  });

  constructor(store: RemovalStore) {
    this.#store = store;
  }

  /**
   * Call when the entries have the server's numbers.
   * @param confirmed removals that the server knows, or whose numbers are void
   * @returns those that an earlier try has left
   */
  open(uploadId: string, confirmed: readonly number[]): number[] {
    this.confirm(confirmed);
    this.#uploadId = uploadId;
    const left = this.#store.read(uploadId);
    this.#save();
    return left;
  }

  add(n: number): void {
    this.#numbers.add(n);
    this.#save();
  }

  /** The server has removed them. */
  confirm(numbers: readonly number[]): void {
    for (const n of numbers) this.#numbers.delete(n);
    if (numbers.length > 0) this.#save();
  }

  /** The entries get other numbers, or the transfer has ended. */
  clear(): void {
    this.#numbers.clear();
    this.#save();
  }
}
