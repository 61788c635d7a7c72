import { PathSet } from "#domain/transfers/paths.ts";
import { toNumbers, toRuns, type Run } from "#domain/transfers/runs.ts";
import type { AnnouncedEntry, TransferObject, TransferStore } from "./transfer-store.ts";

const NONE = -1;

/** What a batch asks of each entry, kept in memory. Rebuilt from storage after an eviction or a rolled back batch. */
export class EntryIndex {
  /** Removed entries' paths are free again: a changed file is announced once more, under a new number. */
  readonly paths: PathSet;
  /** By entry number: 16 bytes an entry. */
  readonly #sizes: number[] = [];
  readonly #objects: number[] = [];
  readonly #removed: Set<number>;

  constructor(store: TransferStore) {
    this.#removed = new Set(store.removedEntries().keys());
    const paths: string[] = [];
    for (const { path, sizeBytes } of store.entries()) {
      if (!this.#removed.has(this.count)) paths.push(path);
      this.#append(sizeBytes);
    }
    this.paths = new PathSet(paths);
    for (const object of store.objects("open", "joining", "stored")) this.assign(object);
  }

  add({ path, sizeBytes }: AnnouncedEntry): void {
    this.paths.add(path);
    this.#append(sizeBytes);
  }

  #append(sizeBytes: number): void {
    this.#sizes.push(sizeBytes);
    this.#objects.push(NONE);
  }

  get count(): number {
    return this.#sizes.length;
  }

  sizeOf(n: number): number {
    return this.#sizes[n] ?? 0;
  }

  /** The object that holds the entry's bytes; null for none yet. */
  objectOf(n: number): number | null {
    const object = this.#objects[n] ?? NONE;
    return object === NONE ? null : object;
  }

  assign({ object, runs }: Pick<TransferObject, "object" | "runs">): void {
    for (const [first, count] of runs) this.#objects.fill(object, first, first + count);
  }

  unassign({ object, runs }: Pick<TransferObject, "object" | "runs">): void {
    for (const n of toNumbers(runs)) if (this.#objects[n] === object) this.#objects[n] = NONE;
  }

  isRemoved(n: number): boolean {
    return this.#removed.has(n);
  }

  markRemoved(n: number, path: string): void {
    if (!this.#removed.has(n)) this.paths.remove(path);
    this.#removed.add(n);
  }

  /** Entries that are not removed, in ascending order. */
  *present(): Generator<number> {
    for (let n = 0; n < this.count; n += 1) if (!this.#removed.has(n)) yield n;
  }

  /** Entries whose bytes are in stored objects. An empty file or folder has no bytes. */
  storedRuns(store: TransferStore): Run[] {
    const stored = new Set(store.objectNumbers("stored"));
    return toRuns(this.#filterPresent((n) => this.#isStored(n, stored)));
  }

  /** Entries whose bytes are not in an object of these phases. */
  missing(store: TransferStore, ...phases: ("joining" | "stored")[]): number[] {
    const complete = new Set(store.objectNumbers(...phases));
    return this.#filterPresent((n) => !this.#isStored(n, complete));
  }

  #filterPresent(test: (n: number) => boolean): number[] {
    return [...this.present()].filter(test);
  }

  #isStored(n: number, stored: ReadonlySet<number>): boolean {
    return this.sizeOf(n) === 0 || stored.has(this.#objects[n] ?? NONE);
  }
}
