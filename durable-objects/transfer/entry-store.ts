/** The number of entries in one row of SQLite, so that 10,000 entries cost 100 rows. */
const ENTRIES_PER_ROW = 100;

/** An entry as the sender announced it. */
export interface AnnouncedEntry {
  path: string;
  sizeBytes: number;
  /** Epoch milliseconds. */
  modifiedMs: number;
  /** MIME type. */
  type: string;
}

type StoredEntry = [path: string, sizeBytes: number, modifiedMs: number, type: string];

/** The list of one transfer's entries in SQLite. */
export class EntryStore {
  readonly #sql: SqlStorage;
  /** The row that was decoded last. The entries of a batch are often in the same row. */
  #lastRow: { row: number; entries: StoredEntry[] } | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  create(): void {
    this.#sql.exec("create table if not exists entries (page integer primary key, list text not null)");
    this.#sql.exec(
      "create table if not exists removed (n integer primary key, at integer not null, wiped integer not null)",
    );
    this.#sql.exec("create index if not exists unwiped on removed (n) where wiped = 0");
    this.#sql.exec("create table if not exists sender_sums (n integer primary key, sha256 text not null)");
  }

  /** Forgets what is kept in memory. Call it after a transaction has been rolled back. */
  forgetMemory(): void {
    this.#lastRow = null;
  }

  /** Lists entries in the order of their numbers, and decodes one row at a time. @param from the first number */
  *list(from = 0): Generator<AnnouncedEntry> {
    const first = Math.floor(from / ENTRIES_PER_ROW);
    const rows = this.#sql
      .exec<{ page: number }>("select page from entries where page >= ? order by page", first)
      .toArray();
    for (const { page } of rows) {
      yield* this.#row(page)
        .slice(page === first ? from % ENTRIES_PER_ROW : 0)
        .map(toEntry);
    }
  }

  find(n: number): AnnouncedEntry | null {
    const stored = this.#row(Math.floor(n / ENTRIES_PER_ROW))[n % ENTRIES_PER_ROW];
    return stored ? toEntry(stored) : null;
  }

  /** Appends entries. @param from the first unused number */
  append(from: number, list: AnnouncedEntry[]): void {
    for (let at = 0; at < list.length;) {
      const row = Math.floor((from + at) / ENTRIES_PER_ROW);
      const before = this.#row(row);
      const count = Math.min(ENTRIES_PER_ROW - before.length, list.length - at);
      const added = list
        .slice(at, at + count)
        .map(({ path, sizeBytes, modifiedMs, type }): StoredEntry => [path, sizeBytes, modifiedMs, type]);
      this.#sql.exec(
        "insert into entries values (?, ?) on conflict do update set list = excluded.list",
        row,
        JSON.stringify([...before, ...added]),
      );
      this.#lastRow = null;
      at += count;
    }
  }

  #row(row: number): StoredEntry[] {
    if (this.#lastRow?.row === row) return this.#lastRow.entries;
    const [found] = this.#sql.exec<{ list: string }>("select list from entries where page = ?", row);
    const entries = found ? (JSON.parse(found.list) as StoredEntry[]) : [];
    this.#lastRow = { row, entries };
    return entries;
  }

  /**
   * Marks an entry as removed. Idempotent: keeps the time of the first call. @param hasObject whether an object holds
   * its bytes
   * @param now epoch milliseconds
   */
  markRemoved(n: number, hasObject: boolean, now: number): void {
    this.#sql.exec("insert into removed values (?, ?, ?) on conflict do nothing", n, now, hasObject ? 0 : 1);
  }

  /** The removed entries by number, with the time of removal in epoch milliseconds. */
  removed(): Map<number, number> {
    const rows = this.#sql.exec<{ n: number; at: number }>("select n, at from removed").toArray();
    return new Map(rows.map(({ n, at }) => [n, at]));
  }

  /** The removed entries whose bytes are still in an object. */
  unwiped(): number[] {
    return this.#sql
      .exec<{ n: number }>("select n from removed where wiped = 0")
      .toArray()
      .map(({ n }) => n);
  }

  /** Notes that the bytes of removed entries are wiped. An entry that is not removed stays as it is. */
  markWiped(numbers: number[]): void {
    this.#setWiped(numbers, 1);
  }

  /**
   * Notes that an object was opened for these entries, so that the removed entries among these numbers have to be
   * wiped. An entry that is not removed stays as it is.
   */
  markUnwiped(numbers: number[]): void {
    this.#setWiped(numbers, 0);
  }

  #setWiped(numbers: number[], wiped: 0 | 1): void {
    // Without numbers, the update would still cost a read.
    if (numbers.length === 0) return;
    const list = JSON.stringify(numbers);
    this.#sql.exec("update removed set wiped = ? where n in (select value from json_each(?))", wiped, list);
  }

  addSenderSum(n: number, sha256: string): void {
    this.#sql.exec(
      "insert into sender_sums values (?, ?) on conflict do update set sha256 = excluded.sha256",
      n,
      sha256,
    );
  }

  /** SHA-256 in hex, as the sender computed it; null without one. */
  senderSum(n: number): string | null {
    const [row] = this.#sql.exec<{ sha256: string }>("select sha256 from sender_sums where n = ?", n);
    return row?.sha256 ?? null;
  }
}

function toEntry([path, sizeBytes, modifiedMs, type]: StoredEntry): AnnouncedEntry {
  return { path, sizeBytes, modifiedMs, type };
}
