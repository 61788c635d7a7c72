import { useRevalidator } from "@remix-run/react";
import { useContext, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { call } from "#app/lib/api.ts";
import type { TreeEntry } from "#app/ui/entries/entry-folders.ts";
import { ENTRIES_PER_CALL } from "#domain/transfers/limits.ts";
import { addRuns, containsNumber, type Runs } from "#domain/transfers/runs.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { EntryState, ListedEntries, ListedEntry } from "#domain/wire.ts";
import { pause } from "#engine/timing.ts";
import { changesPage } from "../refusal.ts";
import { SealedPageContext } from "../sealed/sealed-context.ts";

export interface TransferEntry extends TreeEntry {
  /** ISO 8601. */
  modifiedAt: string;
  type: string;
  /** The state when it was listed; `EntryList.stateOf` has the newest one. */
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
  /** How many entries the whole list had when the page was loaded. */
  #total: number;
  /** Each number is asked for once, since its entry may be gone again. */
  #lastExpected = -1;
  /** Calls run one after another. */
  #calls: Promise<void> = Promise.resolve();
  #isLoading = false;
  #life = new AbortController();

  /** @param first the beginning of the list @param stored null once the transfer is ready */
  constructor(first: ListedEntries, stored: Runs | null, fetchEntries: FetchEntries) {
    this.#fetch = fetchEntries;
    this.#stored = stored;
    this.#nextNumber = numberAfter(first);
    this.#total = first.total;
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
    if (this.#life.signal.aborted) this.#life = new AbortController();
    const life = this.#life;
    return () => life.abort();
  }

  /**
   * Takes over what a message of the socket says.
   * @param stored entries that have arrived @param moving entry numbers and how far each is, percent; null: as before
   */
  hear(stored: Runs, moving: readonly (readonly [number, number])[] | null): void {
    if (this.#stored) this.#stored = addRuns(this.#stored, stored);
    if (moving) this.#moving = new Map(moving);
    const numbers = [...stored.map(([first, count]) => first + count - 1), ...this.#moving.keys()];
    this.#expectEntry(Math.max(-1, ...numbers));
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
      const { signal } = this.#life;
      while (!this.#snapshot.isComplete && !signal.aborted) await this.#append();
    });
  }

  /**
   * The page was loaded anew: reads as much of the list again as was loaded before, and then replaces it. A list that
   * is still uploaded and has not changed is kept.
   * @param first the beginning of the list @param stored null once the transfer is ready
   */
  async refresh(first: ListedEntries, stored: Runs | null): Promise<void> {
    await this.#run(async () => {
      const { signal } = this.#life;
      if (stored && this.#isUnchanged(first)) {
        this.hear(stored, null);
        return;
      }
      let entries = toEntries(first);
      let nextNumber = numberAfter(first);
      // What was loaded since may be newer.
      let isComplete = first.entries.length >= first.total && nextNumber >= this.#nextNumber;
      while (nextNumber < this.#nextNumber && !isComplete && !signal.aborted) {
        const more = await this.#fetchUntilAnswered(nextNumber);
        entries = join(entries, toEntries(more));
        nextNumber = Math.max(nextNumber, numberAfter(more));
        isComplete = more.entries.length < ENTRIES_PER_CALL;
      }
      if (signal.aborted) return;
      this.#nextNumber = nextNumber;
      this.#total = first.total;
      this.#stored = stored && addRuns(stored, this.#stored ?? []);
      this.#publish({ entries, isComplete });
    });
  }

  #isUnchanged(first: ListedEntries): boolean {
    const { entries } = this.#snapshot;
    return first.total === this.#total && first.entries.every(({ n }, at) => entries[at]?.n === n);
  }

  async #append(): Promise<void> {
    const { signal } = this.#life;
    const more = await this.#fetchUntilAnswered(this.#nextNumber);
    if (signal.aborted) return;
    this.#nextNumber = Math.max(this.#nextNumber, numberAfter(more));
    const isComplete = more.entries.length < ENTRIES_PER_CALL;
    this.#publish({ entries: join(this.#snapshot.entries, toEntries(more)), isComplete });
  }

  async #fetchUntilAnswered(from: number): Promise<ListedEntries> {
    const { signal } = this.#life;
    for (let delayMs = FIRST_RETRY_MS; !signal.aborted; delayMs = Math.min(2 * delayMs, MAX_RETRY_MS)) {
      try {
        return await this.#fetch(from);
      } catch {
        // The page's other calls tell what is wrong: here the list only comes later.
        await pause(delayMs, signal).catch(() => undefined);
      }
    }
    return { entries: [], total: 0 };
  }

  #run(call: () => Promise<void>): Promise<void> {
    this.#calls = this.#calls.then(call);
    return this.#calls;
  }

  /** Loads on when the sender has added files after the whole list was loaded. */
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

/** A path that comes again has a new entry: the file was removed before, and sent anew. */
function join(entries: readonly TransferEntry[], added: readonly TransferEntry[]): TransferEntry[] {
  const paths = new Set(added.map(({ path }) => path));
  return [...entries.filter(({ path }) => !paths.has(path)), ...added];
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

/**
 * @param first the beginning of the list, as the page was loaded @param stored null once the transfer is ready
 * @returns the list, and what of it is drawn
 */
export function useEntryList(
  downloadId: string,
  first: ListedEntries,
  stored: Runs | null,
): [EntryList, EntryListSnapshot] {
  const { revalidate } = useRevalidator();
  const isSealed = useContext(SealedPageContext) !== null;
  const [list] = useState(
    () =>
      new EntryList(first, stored, async (from) => {
        // All of it is in the manifest; more comes with the next one.
        if (isSealed) return { entries: [], total: 0 };
        try {
          return await call("GET /api/files/download/:downloadId/entries", {
            params: { downloadId },
            query: { from: String(from) },
          });
        } catch (error) {
          if (changesPage(error)) revalidate();
          throw error;
        }
      }),
  );
  useEffect(() => list.open(), [list]);
  const shown = useRef(first);
  useEffect(() => {
    if (shown.current === first) return;
    shown.current = first;
    void list.refresh(first, stored);
  }, [list, first, stored]);
  const snapshot = useSyncExternalStore(list.subscribe, list.snapshot, list.snapshot);
  return [list, snapshot];
}

/** Relative: the preview endpoint answers requests from the same origin only. @returns without `/content` or `/preview` */
export function entryUrl(downloadId: string, n: number): string {
  return `/api/files/download/${downloadId}/entries/${n}`;
}
