import type { TransferBatch } from "#domain/wire.ts";
import type { RemovalStore } from "../ports.ts";
import { onceSoon } from "../timing.ts";
import type { BatchQueue } from "./batch-queue.ts";
import type { EntryForm, EntrySources } from "./entry-sources.ts";
import type { KnownEntry } from "./resume-transfer.ts";
import type { TransferEntries } from "./transfer-entries.ts";
import type { TransferListEntry } from "./transfer-list.ts";

type Totals = NonNullable<TransferBatch["totals"]>;

interface Options {
  entries: TransferEntries;
  sources: EntrySources;
  queue: BatchQueue;
  removals: UnconfirmedRemovals;
  form: EntryForm;
}

/** The transfer's list, kept the same in what is shown, what is read and what the server hears. */
export class AnnouncedList {
  readonly #options: Options;
  /** Bytes of entries that were removed before the transfer was resumed, and that the server counts all the same. */
  #spentBytes = 0;
  /** Entries whose bytes the server has, although their state here is another. */
  readonly #arrived = new Set<number>();
  readonly #removed = new Set<number>();

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * What the server has to expect.
   * @param added entries that are about to be announced @param replaced entries that are removed for them
   */
  totalsWith(added: readonly TransferListEntry[], replaced: readonly number[] = []): Totals {
    const { entries, form } = this.#options;
    let bytes = entries.presentBytes + this.#spentBytes;
    for (const n of this.#removed) if (this.#isHeld(n)) bytes += entries.sizeBytes(n);
    for (const { sizeBytes } of added) bytes += form.sentBytes(sizeBytes);
    for (const n of replaced) if (!this.#isHeld(n)) bytes -= entries.sizeBytes(n);
    return { entries: entries.present + added.length - replaced.length, bytes };
  }

  /** The queue announces them. */
  append(added: readonly TransferListEntry[]): void {
    const { entries, sources, queue, form } = this.#options;
    for (const entry of added) {
      sources.set(entries.add({ path: entry.path, sizeBytes: form.sentBytes(entry.sizeBytes) }), entry);
    }
    queue.announceUpTo(entries.length);
  }

  /**
   * The server has announced the entries under the next numbers, and removed others.
   * @param replaced in whose places the first of them came
   */
  accept(added: readonly TransferListEntry[], replaced: readonly number[]): void {
    const { entries, queue } = this.#options;
    const first = entries.length;
    const removedMeanwhile = [...replaced.keys()].filter((index) => entries.isIn(replaced[index] ?? -1, "removed"));
    for (const n of replaced) this.#markRemoved(n);
    this.append(added);
    queue.markAnnounced(entries.length);
    for (const index of removedMeanwhile) this.remove(first + index);
  }

  /**
   * Begins anew with what the server knows.
   * @param announcedBytes what counts against the totals; undefined when the server does not say it
   */
  restart(known: readonly KnownEntry[], announcedBytes: number | undefined): void {
    const { entries, sources, queue } = this.#options;
    entries.clear();
    sources.clear();
    this.#arrived.clear();
    this.#removed.clear();
    for (const { local, phase, hasArrived, ...entry } of known) {
      const n = entries.add(entry, phase);
      if (phase === "changed") sources.offer(n, local);
      else sources.set(n, local);
      if (hasArrived) this.#arrived.add(n);
    }
    this.#spentBytes = Math.max(0, (announcedBytes ?? 0) - entries.presentBytes);
    queue.restart(known.length);
  }

  /** The queue tells the server. */
  remove(n: number): void {
    const { queue, removals } = this.#options;
    this.#markRemoved(n);
    queue.remove(n);
    removals.add(n);
  }

  #markRemoved(n: number): void {
    const { entries } = this.#options;
    if (entries.isIn(n, "removed")) return;
    if (entries.isIn(n, "sent", "stored")) this.#arrived.add(n);
    this.#removed.add(n);
    entries.setPhase(n, "removed");
  }

  /** Whether the server counts its bytes, removed or not: it has stored them, or will store zeros in their place. */
  #isHeld(n: number): boolean {
    const { entries } = this.#options;
    return entries.isIn(n, "sent", "stored") || this.#arrived.has(n) || entries.objectOf(n) !== null;
  }
}

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
