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

/** Keeps the list of a transfer the same in the page, in the reader and on the server. */
export class AnnouncedList {
  readonly #options: Options;
  /** The bytes of entries that were removed before the transfer was resumed. The server still counts these bytes. */
  #spentBytes = 0;
  /** The entries whose bytes the server has, although their state here says otherwise. */
  readonly #arrived = new Set<number>();
  readonly #removed = new Set<number>();

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * The totals to announce to the server.
   * @param added entries that will be announced @param replaced entries that will be removed for the added ones
   */
  totalsWith(added: readonly TransferListEntry[], replaced: readonly number[] = []): Totals {
    const { entries, form } = this.#options;
    let bytes = entries.presentBytes + this.#spentBytes;
    for (const n of this.#removed) if (this.#isHeld(n)) bytes += entries.sizeBytes(n);
    for (const { sizeBytes } of added) bytes += form.sentBytes(sizeBytes);
    for (const n of replaced) if (!this.#isHeld(n)) bytes -= entries.sizeBytes(n);
    return { entries: entries.present + added.length - replaced.length, bytes };
  }

  /** Adds entries, which the queue will announce to the server. */
  append(added: readonly TransferListEntry[]): void {
    const { entries, sources, queue, form } = this.#options;
    for (const entry of added) {
      sources.set(entries.add({ path: entry.path, sizeBytes: form.sentBytes(entry.sizeBytes) }), entry);
    }
    queue.announceUpTo(entries.length);
  }

  /**
   * Takes over entries that the server has numbered, and the removal of entries.
   * @param replaced entries that the first added ones replace
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
   * Restarts with the entries that the server knows.
   * @param announcedBytes the bytes that count against the totals; undefined when the server does not say
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

  /** Removes an entry. The queue will tell the server of the removal. */
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

  /**
   * Whether the server counts the entry's bytes, even if it is removed: they are stored, or will be stored as zeros.
   */
  #isHeld(n: number): boolean {
    const { entries } = this.#options;
    return entries.isIn(n, "sent", "stored") || this.#arrived.has(n) || entries.objectOf(n) !== null;
  }
}

/**
 * The removals that the server has not confirmed, and that this device keeps so that removed entries do not come back
 * when the transfer is resumed.
 */
export class UnconfirmedRemovals {
  readonly #store: RemovalStore;
  readonly #numbers = new Set<number>();
  #uploadId: string | null = null;
  /** Saves once for thousands of files that are removed at once. */
  readonly #save = onceSoon(() => {
    if (this.#uploadId !== null) this.#store.write(this.#uploadId, [...this.#numbers]);
  });

  constructor(store: RemovalStore) {
    this.#store = store;
  }

  /**
   * Opens the kept removals. Call it when the entries have the server's numbers.
   * @param confirmed removals that the server knows, or whose numbers are void
   * @returns removals that an earlier try has left unconfirmed
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

  /** Forgets removals that the server has confirmed. */
  confirm(numbers: readonly number[]): void {
    for (const n of numbers) this.#numbers.delete(n);
    if (numbers.length > 0) this.#save();
  }

  /** Forgets all removals, because the entries get other numbers or the transfer has ended. */
  clear(): void {
    this.#numbers.clear();
    this.#save();
  }
}
