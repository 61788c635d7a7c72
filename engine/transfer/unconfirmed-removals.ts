import { onceSoon } from "./once-soon.ts";

/** The browser's storage, in whose keys an upload's id follows. */
const KEY = "removed-entries/";

/**
 * Entries that the person removed and the server has not removed yet. They outlive the tab, so that they do not come
 * back when the transfer goes on.
 */
export class UnconfirmedRemovals {
  readonly #numbers = new Set<number>();
  #key: string | null = null;
  /** Thousands of files that are removed at once are saved once. */
  readonly #save = onceSoon(() => {
    if (this.#key !== null) write(this.#key, [...this.#numbers]);
  });

  /** Call when the entries have the server's numbers. @returns those that an earlier try has left */
  open(uploadId: string): number[] {
    this.#key = `${KEY}${uploadId}`;
    const left = parse(read(this.#key));
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

/** Where a browser keeps nothing for sites, the removals are sent all the same. */
function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, numbers: readonly number[]): void {
  try {
    if (numbers.length > 0) localStorage.setItem(key, JSON.stringify(numbers));
    else localStorage.removeItem(key);
  } catch {
    // As above.
  }
}

function parse(json: string | null): number[] {
  try {
    const value: unknown = JSON.parse(json ?? "[]");
    return Array.isArray(value) ? value.filter((n) => typeof n === "number") : [];
  } catch {
    return [];
  }
}
