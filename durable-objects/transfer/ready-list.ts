import { objectsOf } from "#domain/segments.ts";
import { decodePlaces, type PlacedEntry } from "#domain/transfers/pages.ts";
import { searchedNames } from "#domain/transfers/searched-names.ts";
import { layOutZip } from "#domain/zip.ts";
import type { Database } from "#worker/db/client.ts";
import { updateArchive, type Wipe } from "#worker/db/entry-wipes.ts";
import { deleteTransferPages, findWithPages } from "#worker/db/transfers.ts";
import { logWarning } from "#worker/log.ts";
import { numberedKey } from "#worker/storage/keys.ts";
import type { ListState, ListStore } from "./list-store.ts";

/** The checksums that the server has computed from an entry's stored bytes. */
export interface VerifiedSum {
  n: number;
  crc32: number;
  /** The SHA-256 in hex. */
  sha256: string;
}

export type RemovalResult =
  /**
   * `sizeBytes` and `entries` count what is left of the transfer. `wipes`: the keys of objects that still have bytes to
   * delete.
   */
  | { kind: "removed"; sizeBytes: number; entries: number; wipes: string[] }
  /** The transfer has no such entry. */
  | { kind: "unknown" }
  /** Nothing is changed, because no other entry is left. */
  | { kind: "last" }
  /** The list cannot be changed: the link has ended, or the transfer is not ready yet. */
  | { kind: "ended" }
  /** D1 did not answer. The alarm writes the transfer's row. */
  | { kind: "failed" };

interface Dependencies {
  db: Database;
  list: ListStore;
  /** Makes sure that the alarm calls `settle` soon. */
  wake(): void;
  /** Is called in the step in which the list says that an entry is removed. */
  onRemoved(n: number): void;
}

/**
 * Owns the list of a ready transfer's entries: only this class writes it. A change is stored in the list first, and
 * then written to the transfer's row in D1. If D1 does not answer, the alarm writes the row.
 */
export class ReadyList {
  readonly #deps: Dependencies;
  #adoption: Promise<ListState | null> | null = null;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Finds the list. If the list still stands in D1, where releases before decision 051 kept it, moves it into this
   * object.
   * @returns null if there is no list
   */
  find(fileId: string): Promise<ListState | null> {
    const state = this.#deps.list.find();
    if (state && !state.isCopy) return Promise.resolve(state);
    this.#adoption ??= this.#adopt(fileId).finally(() => {
      this.#adoption = null;
    });
    return this.#adoption;
  }

  async #adopt(fileId: string): Promise<ListState | null> {
    const { db, list, wake } = this.#deps;
    if (!list.find()) {
      const { row, pages } = await findWithPages(db, fileId);
      if (!row?.isLive || row.etag === null || pages.length === 0) return null;
      // Sets the alarm, which confirms the copy if this object is evicted before `#confirmCopy` has.
      wake();
      list.replace({ fileId, etag: row.etag, isCopy: true }, pages);
    }
    await this.#confirmCopy(fileId);
    return list.find();
  }

  /** Deletes the list in D1. If the link has ended since the list was copied, forgets the copy. */
  async #confirmCopy(fileId: string): Promise<void> {
    const { db, list } = this.#deps;
    const { isLive } = await deleteTransferPages(db, fileId);
    const state = list.find();
    if (!state?.isCopy) return;
    if (isLive) list.save({ ...state, isCopy: false });
    else list.delete();
  }

  /**
   * Writes the row in D1 first, so that it has the ETag of these pages' ZIP.
   * @returns pages for `decodePlaces`; none if there is no list
   */
  async readPages(fileId: string): Promise<string[]> {
    if (!(await this.find(fileId))) return [];
    await this.#writeRow();
    return this.#deps.list.find() ? this.#deps.list.pages() : [];
  }

  /**
   * Writes the row in D1 anew, after D1 was restored to a time before an entry was removed.
   * @param etag the ETag that the row has
   */
  async rewriteRow(fileId: string, etag: string): Promise<void> {
    if (!(await this.find(fileId))) return;
    const { list } = this.#deps;
    const state = list.find();
    if (!state) return;
    list.save({ ...state, etag, revision: state.revision + 1 });
    await this.#writeRow();
  }

  /** Moves the list from D1 into this object if the link works, and deletes what D1 has of the list. Idempotent. */
  async move(fileId: string): Promise<void> {
    await this.find(fileId);
    await deleteTransferPages(this.#deps.db, fileId);
  }

  /** Removes an entry, unless no other entry is left. Idempotent. @param now epoch milliseconds */
  async remove(fileId: string, n: number, now: number): Promise<RemovalResult> {
    const { list, wake, onRemoved } = this.#deps;
    if (!(await this.find(fileId))) return { kind: "ended" };
    const [entry] = list.locate([n]);
    const state = list.find();
    if (!state) return { kind: "ended" };
    if (!entry) return { kind: "unknown" };
    if (entry.state === "stored") {
      if (state.present === 1) return { kind: "last" };
      wake();
      list.update(n, { removedAt: now });
      onRemoved(n);
      list.save({ ...state, present: state.present - 1, revision: state.revision + 1, removed: [...state.removed, n] });
    }
    const written = await this.#writeRow();
    if (!written.isAlive) return { kind: "ended" };
    const left = presentIn(this.#deps.list);
    return { kind: "removed", sizeBytes: sizeOf(left), entries: left.length, wipes: written.wipes };
  }

  /**
   * Replaces the checksums of entries. If a CRC-32 changes, so do the ETag and date of the ZIP. Idempotent.
   * @param sums in ascending order of `n`
   */
  async correct(fileId: string, sums: VerifiedSum[]): Promise<void> {
    const { list, wake } = this.#deps;
    if (sums.length === 0 || !(await this.find(fileId))) return;
    const state = list.find();
    if (!state) return;
    const before = new Map(list.locate(sums.map(({ n }) => n)).map(({ n, crc32 }) => [n, crc32]));
    const wrong = sums.filter(({ n, crc32 }) => before.get(n) !== crc32);
    if (wrong.length > 0) wake();
    for (const { n, crc32, sha256 } of sums) list.update(n, { crc32, sha256, crcSource: "server" });
    if (wrong.length > 0) list.save({ ...state, revision: state.revision + 1 });
    await this.#writeRow();
    if (wrong.length > 0) {
      logWarning("transfer.sums_corrected", { fileId, entries: wrong.map(({ n }) => n) });
    }
  }

  /**
   * Does the work that a crash has left undone: confirms a copy, and writes the row in D1 if the row lags behind the
   * list. Idempotent.
   */
  async settle(): Promise<void> {
    const state = this.#deps.list.find();
    if (state?.isCopy) await this.find(state.fileId);
    await this.#writeRow();
  }

  /** Whether there is something for `settle` to do. */
  get isUnsettled(): boolean {
    const state = this.#deps.list.find();
    return state !== null && (state.isCopy || state.revision !== state.writtenRevision);
  }

  /**
   * Writes the row in D1 if the row lags behind the list. Runs one call after the other, so that an older state never
   * replaces a newer one.
   */
  #writeRow(): Promise<{ isAlive: boolean; wipes: string[] }> {
    const written = this.#writing.then(() => this.#write());
    this.#writing = written.catch(() => undefined);
    return written;
  }

  /** @returns `isAlive` false once the link has ended: the row of an ended link stays as it is */
  async #write(): Promise<{ isAlive: boolean; wipes: string[] }> {
    const { db, list } = this.#deps;
    const state = list.find();
    if (!state) return { isAlive: false, wipes: [] };
    if (state.revision === state.writtenRevision) return { isAlive: true, wipes: [] };
    const left = presentIn(list);
    const removed = list.locate(state.removed.toSorted((a, b) => a - b));
    const zip = await layOutZip(left);
    const etag = zip.etag.replaceAll('"', "");
    const wipes = removed.flatMap((entry) => wipesOf(state.fileId, left, entry));
    const sizes = { zipSizeBytes: zip.size, sizeBytes: sizeOf(left), entries: left.length };
    const isAlive =
      etag === state.etag ||
      (await updateArchive(db, {
        fileId: state.fileId,
        etagBefore: state.etag,
        etag,
        ...sizes,
        names: searchedNames(left.map(({ path }) => path)),
        wipes,
        at: Date.now(),
      }));
    // During the write to D1, the list may have been deleted (null), or changed (a higher revision).
    const current = list.find();
    if (!current) return { isAlive: false, wipes: [] };
    const later = current.removed.filter((n) => !state.removed.includes(n));
    list.save({ ...current, etag, writtenRevision: state.revision, removed: later });
    return { isAlive, wipes: isAlive ? [...new Set(wipes.map(({ s3Key }) => s3Key))] : [] };
  }
}

function presentIn(list: ListStore): PlacedEntry[] {
  return list
    .pages()
    .flatMap(decodePlaces)
    .filter(({ removedAt }) => removedAt === null);
}

function sizeOf(entries: PlacedEntry[]): number {
  return entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

/**
 * The bytes of a removed entry that have to be deleted, or its whole objects if they hold no other entry.
 * @param left the transfer's other entries
 */
function wipesOf(fileId: string, left: PlacedEntry[], entry: PlacedEntry): Wipe[] {
  const { object, offset, sizeBytes } = entry;
  const isShared = object !== null && left.some((other) => other.object === object);
  return objectsOf(entry).map((number): Wipe => {
    const s3Key = numberedKey(fileId, number);
    return isShared ? { s3Key, fromByte: offset, length: sizeBytes } : { s3Key, fromByte: 0, length: null };
  });
}
