import { UploadError } from "../errors.ts";
import { MAX_RETRIES } from "../retry.ts";
import type { EntrySources } from "./entry-sources.ts";
import type { TransferEntries } from "./transfer-entries.ts";

/** Counts how often files were sent in vain. */
export class Resends {
  readonly #entries: TransferEntries;
  readonly #sources: EntrySources;
  readonly #counts = new Map<number, number>();

  constructor(entries: TransferEntries, sources: EntrySources) {
    this.#entries = entries;
    this.#sources = sources;
  }

  /**
   * Call before files are sent again. Those that were sent too often are left to the person.
   * @returns whether there were such
   */
  count(numbers: readonly number[]): boolean {
    let isOver = false;
    for (const n of numbers) {
      const count = (this.#counts.get(n) ?? 0) + 1;
      this.#counts.set(n, count);
      if (count <= MAX_RETRIES || this.#entries.isIn(n, "removed")) continue;
      isOver = true;
      const entry = this.#sources.get(n);
      if (entry) this.#sources.offer(n, entry);
      this.#entries.setPhase(n, "unreadable", new UploadError({ code: "notArrived", count }));
    }
    return isOver;
  }

  /** A resumed transfer has numbers of its own. */
  clear(): void {
    this.#counts.clear();
  }
}
