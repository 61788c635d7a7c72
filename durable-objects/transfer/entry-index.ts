import { PathSet, utf8Length } from "#domain/transfers/paths.ts";
import { toNumbers, toRunsInOrder, type Run, type Runs } from "#domain/transfers/runs.ts";
import type { AnnouncedEntry, EntryStore } from "./entry-store.ts";
import type { ObjectStore } from "./object-store.ts";
import type { ObjectOutline } from "./object.ts";

const NONE = -1;

/** Keeps in memory the values of each entry that a batch needs. */
export class EntryIndex {
  /**
   * The paths of entries that are not removed. A changed file is announced again with the same path under a new number.
   */
  readonly paths: PathSet;
  /**
   * The UTF-8 length of all paths. Removed entries count, because the list and the ZIP's layout hold their paths too.
   */
  #pathsBytes = 0;
  /** The sizes of entries, by entry number. A size takes 16 bytes. */
  readonly #sizes: number[] = [];
  readonly #objects: number[] = [];
  readonly #removed: Set<number>;
  /** Entries of objects that were rejected. */
  readonly #rejected = new Set<number>();

  constructor(store: { entries: EntryStore; objects: ObjectStore }) {
    this.#removed = new Set(store.entries.removed().keys());
    const paths: string[] = [];
    for (const { path, sizeBytes } of store.entries.list()) {
      if (!this.#removed.has(this.count)) paths.push(path);
      this.#pathsBytes += utf8Length(path);
      this.#append(sizeBytes);
    }
    this.paths = new PathSet(paths);
    for (const outline of store.objects.outlines()) {
      if (outline.phase === "rejected") this.#markRejected(outline.runs);
      else if (outline.phase !== "dropped") this.assign(outline);
    }
  }

  add({ path, sizeBytes }: AnnouncedEntry): void {
    this.paths.add(path);
    this.#pathsBytes += utf8Length(path);
    this.#append(sizeBytes);
  }

  #append(sizeBytes: number): void {
    this.#sizes.push(sizeBytes);
    this.#objects.push(NONE);
  }

  get pathsBytes(): number {
    return this.#pathsBytes;
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

  assign({ object, runs }: Pick<ObjectOutline, "object" | "runs">): void {
    for (const [first, count] of runs) this.#objects.fill(object, first, first + count);
  }

  unassign({ object, runs }: Pick<ObjectOutline, "object" | "runs">): void {
    for (const n of toNumbers(runs)) if (this.#objects[n] === object) this.#objects[n] = NONE;
  }

  /** Notes that an object was rejected, so that its entries need another object. */
  reject(object: Pick<ObjectOutline, "object" | "runs">): void {
    this.unassign(object);
    this.#markRejected(object.runs);
  }

  #markRejected(runs: Runs): void {
    for (const n of toNumbers(runs)) this.#rejected.add(n);
  }

  /** Whether the entry's object was rejected before. */
  wasRejected(n: number): boolean {
    return this.#rejected.has(n);
  }

  get removedCount(): number {
    return this.#removed.size;
  }

  isRemoved(n: number): boolean {
    return this.#removed.has(n);
  }

  markRemoved(n: number, path: string): void {
    if (this.#removed.has(n)) return;
    this.paths.remove(path);
    this.#removed.add(n);
  }

  /** Entries that are not removed, in ascending order. */
  *present(): Generator<number> {
    for (let n = 0; n < this.count; n += 1) if (!this.#removed.has(n)) yield n;
  }

  /** The entries whose bytes are in these objects. An empty file or folder has no bytes. */
  runsIn(objects: ReadonlySet<number>): Run[] {
    return toRunsInOrder(this.#filterPresent((n) => this.#isIn(n, objects)));
  }

  /** The entries whose bytes are in none of these objects. */
  missingIn(objects: ReadonlySet<number>): number[] {
    return [...this.#filterPresent((n) => !this.#isIn(n, objects))];
  }

  *#filterPresent(test: (n: number) => boolean): Generator<number> {
    for (const n of this.present()) if (test(n)) yield n;
  }

  #isIn(n: number, objects: ReadonlySet<number>): boolean {
    return this.sizeOf(n) === 0 || objects.has(this.#objects[n] ?? NONE);
  }
}
