import type { BatchQueue, Totals } from "./batch-queue.ts";
import type { EntrySources } from "./entry-sources.ts";
import type { EntryPhase, TransferEntries } from "./transfer-entries.ts";
import type { TransferListEntry } from "./transfer-list.ts";

/** The transfer's list, kept the same in what is shown, what is read and what the server hears. */
export class AnnouncedList {
  readonly #entries: TransferEntries;
  readonly #sources: EntrySources;
  readonly #queue: BatchQueue;

  constructor(entries: TransferEntries, sources: EntrySources, queue: BatchQueue) {
    this.#entries = entries;
    this.#sources = sources;
    this.#queue = queue;
  }

  /** What the server has to expect: all entries there are, and all bytes that were ever announced. */
  get totals(): Totals {
    return this.totalsWith([]);
  }

  totalsWith(added: readonly TransferListEntry[]): Totals {
    const bytes = added.reduce((sum, { sizeBytes }) => sum + sizeBytes, this.#entries.announcedBytes);
    return { entries: this.#entries.present + added.length, bytes };
  }

  append(added: readonly TransferListEntry[]): void {
    for (const entry of added) this.#sources.set(this.#entries.add(entry), entry);
    this.#queue.announceUpTo(this.#entries.length);
  }

  /** Begins anew with what the server knows. @param source null where this device has no file */
  restart(
    known: readonly { path: string; sizeBytes: number; phase: EntryPhase; local: TransferListEntry | null }[],
  ): void {
    this.#entries.clear();
    this.#sources.clear();
    for (const { local, phase, ...entry } of known) this.#sources.set(this.#entries.add(entry, phase), local);
    this.#queue.restart(known.length);
  }

  remove(n: number): void {
    this.#entries.setPhase(n, "removed");
    this.#queue.remove(n);
  }

  /** The file is announced anew, under a new number. */
  replace(n: number, entry: TransferListEntry): void {
    this.remove(n);
    this.append([entry]);
    this.#queue.setTotals(this.totals);
  }
}
