import { ENTRIES_PER_CALL } from "#domain/transfers/limits.ts";
import { addRuns, containsNumber, type Runs } from "#domain/transfers/runs.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { EntryState, ListedEntries, ListedEntry } from "#domain/wire.ts";
import type { TreeEntry } from "#app/ui/entries/entry-folders.ts";

export interface TransferEntry extends TreeEntry {
  /** ISO 8601. */
  modifiedAt: string;
  type: string;
  /** When it was listed; `EntryList.stateOf` knows better. */
  listedState: EntryState;
  sha256?: string;
}

export interface EntryListSnapshot {
  /** Loaded so far. A new array when it changes. */
  entries: readonly TransferEntry[];
  isComplete: boolean;
  /** Changes with the entries and with their states. */
  version: number;
}

/** Loads the list of a transfer from this entry number on. */
export type FetchEntries = (from: number) => Promise<ListedEntries>;

/** Delay before a failed call is repeated; it doubles each time. */
const FIRST_RETRY_MS = 2 * SECOND_MS;
const MAX_RETRY_MS = 60 * SECOND_MS;

/**
 * The list of a transfer as far as it is loaded, and what has arrived of it. The list grows and its files arrive while
 * the transfer is uploaded; afterwards files may only be removed.
 */
export class EntryList {
  readonly #fetch: FetchEntries;
  readonly #listeners = new Set<() => void>();
  #snapshot: EntryListSnapshot;
  /** Null once the transfer is ready: everything is stored. */
  #stored: Runs | null;
  #moving: ReadonlyMap<number, number> = new Map();
  #nextNumber: number;
  /** Each number is asked for once, since its entry may be gone again. */
  #lastExpected = -1;
  /** Calls run one after another. */
  #calls: Promise<void> = Promise.resolve();
  #isLoading = false;
  #isClosed = false;

  /** @param first the beginning of the list @param stored null once the transfer is ready */
  constructor(first: ListedEntries, stored: Runs | null, fetchEntries: FetchEntries) {
    this.#fetch = fetchEntries;
    this.#stored = stored;
    this.#nextNumber = numberAfter(first);
    this.#snapshot = { entries: toEntries(first), isComplete: first.entries.length >= first.total, version: 0 };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): EntryListSnapshot => this.#snapshot;

  stateOf({ n, listedState }: TransferEntry): EntryState {
    if (!this.#stored || containsNumber(this.#stored, n)) return "stored";
    return listedState === "waiting" && this.#moving.has(n) ? "arriving" : listedState;
  }

  /** Percent of an entry that is being sent; null if that is not known. */
  percentOf(n: number): number | null {
    return this.#moving.get(n) ?? null;
  }

  /** Failed calls are repeated until the list is closed. @returns closes it */
  open(): () => void {
    this.#isClosed = false;
    return () => {
      this.#isClosed = true;
    };
  }

  addStored(runs: Runs): void {
    if (!this.#stored) return;
    this.#stored = addRuns(this.#stored, runs);
    this.#expectEntry(runs.reduce((last, [first, count]) => Math.max(last, first + count - 1), -1));
    this.#publish({});
  }

  /** @param moving entry numbers and how far each is, percent */
  setMoving(moving: readonly (readonly [number, number])[]): void {
    this.#moving = new Map(moving);
    this.#expectEntry(moving.reduce((last, [n]) => Math.max(last, n), -1));
    this.#publish({});
  }

  /** Loads the next part of the list, unless that is under way. */
  async loadMore(): Promise<void> {
    if (this.#isLoading || this.#snapshot.isComplete) return;
    this.#isLoading = true;
    await this.#run(() => this.#append()).finally(() => {
      this.#isLoading = false;
    });
  }

  async loadAll(): Promise<void> {
    await this.#run(async () => {
      while (!this.#snapshot.isComplete && !this.#isClosed) await this.#append();
    });
  }

  /**
   * The page was loaded anew: reads as much of the list again as was loaded before, and then replaces it.
   * @param first the beginning of the list @param stored null once the transfer is ready
   */
  async refresh(first: ListedEntries, stored: Runs | null): Promise<void> {
    await this.#run(async () => {
      let isComplete = first.entries.length >= first.total;
      const entries = toEntries(first);
      let nextNumber = numberAfter(first);
      while (nextNumber < this.#nextNumber && !isComplete && !this.#isClosed) {
        const more = await this.#fetchUntilAnswered(nextNumber);
        entries.push(...toEntries(more));
        nextNumber = Math.max(nextNumber, numberAfter(more));
        isComplete = more.entries.length < ENTRIES_PER_CALL;
      }
      if (this.#isClosed) return;
      this.#nextNumber = nextNumber;
      this.#stored = stored && addRuns(stored, this.#stored ?? []);
      this.#publish({ entries, isComplete });
    });
  }

  async #append(): Promise<void> {
    const more = await this.#fetchUntilAnswered(this.#nextNumber);
    if (this.#isClosed) return;
    this.#nextNumber = Math.max(this.#nextNumber, numberAfter(more));
    const isComplete = more.entries.length < ENTRIES_PER_CALL;
    this.#publish({ entries: [...this.#snapshot.entries, ...toEntries(more)], isComplete });
  }

  async #fetchUntilAnswered(from: number): Promise<ListedEntries> {
    for (let delayMs = FIRST_RETRY_MS; !this.#isClosed; delayMs = Math.min(2 * delayMs, MAX_RETRY_MS)) {
      try {
        return await this.#fetch(from);
      } catch {
        // The page's other calls tell what is wrong: here the list only comes later.
        await new Promise((resolve) => setTimeout(resolve, delayMs));
      }
    }
    return { entries: [], total: 0 };
  }

  #run(call: () => Promise<void>): Promise<void> {
    this.#calls = this.#calls.then(call);
    return this.#calls;
  }

  /** The sender added files after the whole list was loaded: it is loaded on. */
  #expectEntry(n: number): void {
    if (n < this.#nextNumber || n <= this.#lastExpected) return;
    this.#lastExpected = n;
    if (!this.#snapshot.isComplete) return;
    this.#publish({ isComplete: false });
    void this.loadMore();
  }

  #publish(change: Partial<EntryListSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change, version: this.#snapshot.version + 1 };
    for (const listener of this.#listeners) listener();
  }
}

/** Owners see removed entries in the API's list: this page shows them what recipients see. */
function toEntries({ entries }: ListedEntries): TransferEntry[] {
  return entries.filter(({ state }) => state !== "removed").map(toEntry);
}

function toEntry({ n, path, size, modifiedAt, type, state, sha256 }: ListedEntry): TransferEntry {
  const entry = { n, path, sizeBytes: size, modifiedAt, type, listedState: state };
  return sha256 === undefined ? entry : { ...entry, sha256 };
}

function numberAfter({ entries }: ListedEntries): number {
  return (entries.at(-1)?.n ?? -1) + 1;
}
