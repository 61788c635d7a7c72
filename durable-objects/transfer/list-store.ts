import { decodePage, ENTRIES_PER_PAGE, encodePage, type Entry } from "#domain/transfers/pages.ts";
import type { DescribedEntry, EntryRange } from "./described-entry.ts";

const STATE = "list";

/** The SQLite table and the storage key that hold a list of entries. */
export const LIST_NAMES = ["pages", STATE];

/** The facts about a list of entries that are stored beside the entries. */
export interface ListState {
  fileId: string;
  /** The unquoted ETag of the ZIP that the transfer's row in D1 has. */
  etag: string;
  /** The number of entries, removed entries included. */
  count: number;
  /** The number of entries that are not removed. */
  present: number;
  /** Rises with each change of the list that has to be written to the transfer's row in D1. */
  revision: number;
  /** The last revision that was written to the row in D1. */
  writtenRevision: number;
  /** The entries that were removed in revisions after `writtenRevision`. */
  removed: number[];
  /** Whether the list was copied from D1, and D1 has not confirmed yet that its own copy is deleted. */
  isCopy: boolean;
}

/** The list of a ready transfer in SQLite. The list stays until the transfer's bytes are deleted. */
export class ListStore {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** @returns null if no list is stored */
  find(): ListState | null {
    return this.#storage.kv.get<ListState>(STATE) ?? null;
  }

  save(state: ListState): void {
    this.#storage.kv.put(STATE, state);
  }

  /** Stores a whole list instead of the stored one. @param pages from `encodePage` @param etag unquoted, of the ZIP */
  replace(list: Pick<ListState, "fileId" | "etag" | "isCopy">, pages: string[]): void {
    this.#storage.transactionSync(() => {
      const { sql } = this.#storage;
      sql.exec("create table if not exists pages (page integer primary key, entries text not null)");
      sql.exec("delete from pages");
      let [count, present] = [0, 0];
      for (const [page, entries] of pages.entries()) {
        sql.exec("insert into pages values (?, ?)", page, entries);
        const removals = decodePage(entries).map(({ removedAt }) => removedAt);
        count += removals.length;
        present += removals.filter((removedAt) => removedAt === null).length;
      }
      this.save({ ...list, count, present, revision: 0, writtenRevision: 0, removed: [] });
    });
  }

  delete(): void {
    this.#storage.sql.exec("drop table if exists pages");
    this.#storage.kv.delete(STATE);
  }

  /** @returns pages for `decodePage` and `decodePlaces`. Call this method and those below only if a list is stored */
  pages(): string[] {
    const rows = this.#storage.sql.exec<{ entries: string }>("select entries from pages order by page").toArray();
    return rows.map(({ entries }) => entries);
  }

  /** Lists entries in ascending order, and decodes only the pages that it needs. */
  list({ from, count, withRemoved }: EntryRange): DescribedEntry[] {
    const found: DescribedEntry[] = [];
    for (let page = Math.floor(from / ENTRIES_PER_PAGE); found.length < count; page += 1) {
      const described = this.#describe(page);
      found.push(...described.filter(({ n, state }) => n >= from && (withRemoved || state === "stored")));
      if (described.length < ENTRIES_PER_PAGE) break;
    }
    return found.slice(0, count);
  }

  /** @param numbers ascending @returns the entries among these numbers, including removed entries */
  locate(numbers: number[]): DescribedEntry[] {
    const found: DescribedEntry[] = [];
    let described: DescribedEntry[] = [];
    for (const n of numbers) {
      const index = n % ENTRIES_PER_PAGE;
      if (described[index]?.n !== n) described = this.#describe(Math.floor(n / ENTRIES_PER_PAGE));
      found.push(...described.slice(index, index + 1));
    }
    return found;
  }

  /** Changes an entry. Does nothing if there is no such entry. */
  update(n: number, change: Partial<Entry>): void {
    const page = Math.floor(n / ENTRIES_PER_PAGE);
    const entries = this.#read(page);
    const entry = entries[n % ENTRIES_PER_PAGE];
    if (!entry) return;
    Object.assign(entry, change);
    this.#storage.sql.exec("update pages set entries = ? where page = ?", encodePage(entries), page);
  }

  #read(page: number): Entry[] {
    const [row] = this.#storage.sql.exec<{ entries: string }>("select entries from pages where page = ?", page);
    return row ? decodePage(row.entries) : [];
  }

  #describe(page: number): DescribedEntry[] {
    return this.#read(page).map((entry, index) => ({
      ...entry,
      n: page * ENTRIES_PER_PAGE + index,
      state: entry.removedAt === null ? "stored" : "removed",
    }));
  }
}
