import type { ListedEntry } from "#domain/wire.ts";
import { sizeOfAll, type Disk, type DiskEntry } from "./disk.ts";

/** The list of a transfer as one device knows it. */
export class SentList {
  readonly #disk: Disk;
  /** The entries by their numbers; null for a removed entry. */
  #entries: (DiskEntry | null)[];
  /** The bytes of all announced entries, removed ones included. */
  #announcedBytes: number;

  constructor(disk: Disk) {
    this.#disk = disk;
    this.#entries = [...disk.initial];
    this.#announcedBytes = sizeOfAll(disk.initial);
  }

  get length(): number {
    return this.#entries.length;
  }

  slice(from: number, to: number): (DiskEntry | null)[] {
    return this.#entries.slice(from, to);
  }

  /** Takes over the list of the server, in which removed entries are included. */
  replace(listed: readonly ListedEntry[]): void {
    this.#entries = [];
    this.#announcedBytes = 0;
    for (const { n, path, size, modifiedAt, state } of listed) {
      this.#entries[n] = state === "removed" ? null : { path, sizeBytes: size, modifiedMs: Date.parse(modifiedAt) };
      this.#announcedBytes += size;
    }
  }

  /** The entries whose files have changed on the disk since they were announced, and the present files. */
  changes(): { remove: number[]; list: DiskEntry[]; totalBytes: number } {
    const remove: number[] = [];
    const list: DiskEntry[] = [];
    for (const [n, entry] of this.#entries.entries()) {
      if (!entry || !this.#disk.isChanged(entry)) continue;
      remove.push(n);
      list.push(this.#disk.now(entry));
    }
    return { remove, list, totalBytes: this.#announcedBytes + sizeOfAll(list) };
  }

  /** Notes that the server has accepted these changes. */
  change({ remove, list, totalBytes }: ReturnType<SentList["changes"]>): void {
    this.#announcedBytes = totalBytes;
    this.#entries.push(...list);
    for (const n of remove) this.#entries[n] = null;
  }

  sizeOf(numbers: readonly number[]): number {
    return sizeOfAll(numbers.map((n) => this.listed(n)));
  }

  /** Gives a removed entry, too, because the entry's object may be on its way. */
  listed(n: number): DiskEntry {
    const entry = this.#entries[n] ?? this.#disk.initial[n];
    if (!entry) throw new Error(`entry ${n} was never announced`);
    return entry;
  }
}
