import { useRevalidator } from "@remix-run/react";
import { useContext, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { call } from "#app/lib/api.ts";
import type { TreeEntry } from "#app/ui/entries/entry-folders.ts";
import { SEGMENTED_FROM_BYTES } from "#domain/segments.ts";
import { ENTRIES_PER_CALL } from "#domain/transfers/limits.ts";
import type { PictureFacts } from "#domain/seal/pictures.ts";
import { addRuns, containsNumber, type Runs } from "#domain/transfers/runs.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { EntryState, ListedEntries, ListedEntry, PictureInfo } from "#domain/wire.ts";
import { pause } from "#engine/timing.ts";
import { changesPage } from "../refusal.ts";
import { SealedPageContext } from "../sealed/sealed-context.ts";

export interface TransferEntry extends TreeEntry {
  /** ISO 8601. */
  modifiedAt: string;
  type: string;
  /** The state when the entry was listed. `EntryList.stateOf` has the newest state. */
  listedState: EntryState;
  /** The address that follows the upload, of an entry that could be read when it was listed, although it was arriving. */
  followUrl?: string;
  sha256?: string;
}

export interface EntryListSnapshot {
  /** The entries loaded so far. Each change makes a new array. */
  entries: readonly TransferEntry[];
  isComplete: boolean;
  /** A number that changes with the entries and with their states. */
  version: number;
}

/** Loads entries of a transfer's list, from an entry number on. */
export type FetchEntries = (from: number) => Promise<ListedEntries>;

/** Opens the facts about the picture of a sealed file. @returns null if they are not what the sender encrypted */
export type OpenAbout = (n: number, about: string) => Promise<PictureFacts | null>;

/** What the page knows of a file's picture. Width and height, in pixels, are those of its tile. */
export interface EntryPicture extends PictureFacts {
  hasView: boolean;
}

/** Delay before a failed call is repeated. It doubles each time. */
const FIRST_RETRY_MS = 2 * SECOND_MS;
const MAX_RETRY_MS = 60 * SECOND_MS;

/** The loaded part of a transfer's list. During the upload files are added and arrive, later only removed. */
export class EntryList {
  readonly #fetch: FetchEntries;
  readonly #openAbout: OpenAbout;
  /** By entry number. */
  readonly #pictures = new Map<number, EntryPicture>();
  readonly #listeners = new Set<() => void>();
  #snapshot: EntryListSnapshot;
  /** The numbers of the entries that have arrived; null once the transfer is ready, when all entries have arrived. */
  #stored: Runs | null;
  #moving: ReadonlyMap<number, number> = new Map();
  #nextNumber: number;
  /** The number of entries in the whole list when the page was loaded. */
  #total: number;
  /** The highest entry number that a message named. Each number is loaded once, since its entry may be gone again. */
  #lastExpected = -1;
  /** The last of the queued calls, which run one after another. */
  #calls: Promise<void> = Promise.resolve();
  #isLoading = false;
  #life = new AbortController();

  /**
   * @param first the beginning of the list @param stored entries that have arrived; null once the transfer is ready
   * @param openAbout only a sealed transfer needs it
   */
  constructor(
    first: ListedEntries,
    stored: Runs | null,
    fetchEntries: FetchEntries,
    openAbout: OpenAbout = () => Promise.resolve(null),
  ) {
    this.#fetch = fetchEntries;
    this.#openAbout = openAbout;
    this.#stored = stored;
    this.#nextNumber = numberAfter(first);
    this.#total = first.total;
    this.#snapshot = { entries: toEntries(first), isComplete: first.entries.length >= first.total, version: 0 };
    this.#notePictures(first);
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

  /** @returns how much of the entry has arrived, in percent; null if unknown */
  percentOf(n: number): number | null {
    return this.#moving.get(n) ?? null;
  }

  /** Whether the page knows of any picture. */
  get hasPictures(): boolean {
    return this.#pictures.size > 0;
  }

  /** @returns null for a file without a picture, or whose picture is not known yet */
  pictureOf(n: number): EntryPicture | null {
    return this.#pictures.get(n) ?? null;
  }

  /** Starts loading. Failed calls are repeated until the list is closed. @returns closes the list */
  open(): () => void {
    if (this.#life.signal.aborted) this.#life = new AbortController();
    const life = this.#life;
    return () => life.abort();
  }

  /** Applies a socket message. @param stored arrived entries @param moving percent by entry number; null: unchanged */
  hear(stored: Runs, moving: readonly (readonly [number, number])[] | null): void {
    if (this.#stored) this.#stored = addRuns(this.#stored, stored);
    if (moving) this.#moving = new Map(moving);
    const numbers = [...stored.map(([first, count]) => first + count - 1), ...this.#moving.keys()];
    this.#expectEntry(Math.max(-1, ...numbers));
    this.#publish({});
  }

  /** Applies a socket message. @param pictures that are stored from now on, by entry number */
  hearPictures(pictures: readonly (readonly [number, PictureInfo])[]): void {
    const opening: Promise<void>[] = [];
    for (const [n, { width, height, seconds, about, view: hasView = false }] of pictures) {
      const note = (picture: PictureFacts) => this.#pictures.set(n, { ...picture, hasView });
      const known = this.#pictures.get(n);
      if (about === undefined) note({ width, height, ...(seconds !== undefined && { seconds }) });
      else if (known) note(known);
      else opening.push(this.#openAbout(n, about).then((opened) => void (opened && note(opened))));
    }
    if (opening.length < pictures.length) this.#publish({});
    if (opening.length > 0) void Promise.all(opening).then(() => this.#publish({}));
  }

  /** Reads the loaded part of the list again if the page may lack pictures. @param count of pictures that are stored */
  async expectPictures(count: number): Promise<void> {
    if (count <= this.#pictures.size) return;
    await this.#run(async () => {
      const { signal } = this.#life;
      for (let from = 0; from < this.#nextNumber && !signal.aborted;) {
        const more = await this.#fetchUntilAnswered(from);
        this.#notePictures(more);
        from = more.entries.length < ENTRIES_PER_CALL ? this.#nextNumber : numberAfter(more);
      }
    });
  }

  /** Loads the next part of the list, unless a call for it runs. */
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
   * Reads the loaded part of the list again after a reload of the page's data. An unchanged list of an upload is kept.
   * @param first the beginning of the list @param stored entries that have arrived; null once the transfer is ready
   */
  async refresh(first: ListedEntries, stored: Runs | null): Promise<void> {
    await this.#run(async () => {
      const { signal } = this.#life;
      this.#notePictures(first);
      if (stored && this.#isUnchanged(first)) {
        this.hear(stored, null);
        return;
      }
      let entries = toEntries(first);
      let nextNumber = numberAfter(first);
      // Entries that were loaded after a complete `first` may be newer, and are then read again.
      let isComplete = first.entries.length >= first.total && nextNumber >= this.#nextNumber;
      while (nextNumber < this.#nextNumber && !isComplete && !signal.aborted) {
        const more = await this.#fetchUntilAnswered(nextNumber);
        this.#notePictures(more);
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
    const isSame = ({ n, followUrl }: ListedEntry, entry: TransferEntry | undefined) =>
      entry?.n === n && (followUrl === undefined || followUrl === entry.followUrl);
    return first.total === this.#total && first.entries.every((listed, at) => isSame(listed, entries[at]));
  }

  async #append(): Promise<void> {
    const { signal } = this.#life;
    const more = await this.#fetchUntilAnswered(this.#nextNumber);
    if (signal.aborted) return;
    this.#notePictures(more);
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
        // No error is shown here, because other calls of the page report the problem.
        await pause(delayMs, signal).catch(() => undefined);
      }
    }
    return { entries: [], total: 0 };
  }

  #notePictures({ entries }: ListedEntries): void {
    const pictures = entries.flatMap(({ n, picture }) => (picture ? [[n, picture] as const] : []));
    if (pictures.length > 0) this.hearPictures(pictures);
  }

  #run(call: () => Promise<void>): Promise<void> {
    this.#calls = this.#calls.then(call);
    return this.#calls;
  }

  /** Loads the list on if a message names an entry behind its end, because the sender added files. */
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

/** A path that comes again replaces the old entry, because the sender removed that file and sent it anew. */
function join(entries: readonly TransferEntry[], added: readonly TransferEntry[]): TransferEntry[] {
  const paths = new Set(added.map(({ path }) => path));
  return [...entries.filter(({ path }) => !paths.has(path)), ...added];
}

/** Leaves out removed entries, which the API lists for owners, so that owners see what recipients see. */
function toEntries({ entries }: ListedEntries): TransferEntry[] {
  return entries.filter(({ state }) => state !== "removed").map(toEntry);
}

function toEntry({ n, path, size, modifiedAt, type, state, followUrl, sha256 }: ListedEntry): TransferEntry {
  return {
    n,
    path,
    sizeBytes: size,
    modifiedAt,
    type,
    listedState: state,
    ...(followUrl !== undefined && { followUrl }),
    ...(sha256 !== undefined && { sha256 }),
  };
}

function numberAfter({ entries }: ListedEntries): number {
  return (entries.at(-1)?.n ?? -1) + 1;
}

/**
 * @param first the beginning of the list @param stored entries that have arrived; null once the transfer is ready
 * @returns the list, and the part of it to render
 */
export function useEntryList(
  downloadId: string,
  first: ListedEntries,
  stored: Runs | null,
): [EntryList, EntryListSnapshot] {
  const { revalidate } = useRevalidator();
  const sealed = useContext(SealedPageContext);
  const isSealed = sealed !== null;
  const [list] = useState(() => {
    const fetchEntries: FetchEntries = async (from) => {
      // The manifest names all files; more come with the next manifest.
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
    };
    // The number of a sealed file with a picture is that of its stream.
    return new EntryList(first, stored, fetchEntries, sealed?.openAbout);
  });
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

/**
 * @param isSealed whether the link is encrypted @returns the address that follows the upload of an arriving entry;
 * undefined if its bytes cannot be read yet
 */
export function followUrlOf(
  downloadId: string,
  entry: TransferEntry,
  state: EntryState,
  isSealed: boolean,
): string | undefined {
  if (state !== "arriving") return undefined;
  if (entry.followUrl !== undefined || isSealed) return entry.followUrl;
  // Messages say sooner than the list that an entry arrives.
  const isReadable = entry.listedState === "waiting" && entry.sizeBytes >= SEGMENTED_FROM_BYTES;
  return isReadable ? `${entryUrl(downloadId, entry.n)}/content?follow=1` : undefined;
}

/** @returns the entry's path without `/content` or `/preview`; relative, because previews need the same origin */
export function entryUrl(downloadId: string, n: number): string {
  return `/api/files/download/${downloadId}/entries/${n}`;
}
