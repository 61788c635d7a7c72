import type { Runs } from "#domain/transfers/runs.ts";
import type { TransferRecord } from "./transfer-state.ts";

const RECORD = "transfer";
/** One row holds this many entries, so that 10,000 entries cost 100 rows. */
const ENTRIES_PER_ROW = 100;

/** As the sender announced it. */
export interface AnnouncedEntry {
  path: string;
  sizeBytes: number;
  /** Epoch milliseconds. */
  modifiedMs: number;
  /** MIME type. */
  type: string;
}

/**
 * open: storage has its multipart upload; joining: all parts have receipts; stored: its entries can be downloaded.
 * Two ends: rejected, when its bytes did not arrive as the sender had hashed them, and dropped by the sender.
 */
export type ObjectPhase = "open" | "joining" | "stored" | "rejected" | "dropped";

/** Of one entry's bytes. */
export interface EntrySum {
  crc32: number;
  /** Hex; null for a large file whose sender sent none. */
  sha256: string | null;
}

export interface TransferObject {
  object: number;
  /** Entries in the order of their bytes. */
  runs: Runs;
  sizeBytes: number;
  partSizeBytes: number;
  partCount: number;
  /** Null until storage has answered. */
  r2UploadId: string | null;
  phase: ObjectPhase;
  /** In the order of `runs`; null until the object is stored. */
  sums: EntrySum[] | null;
  /** Its entries were rejected before: the stored bytes count, whatever the sender's CRC says. */
  isRetry: boolean;
}

export interface PartReceipt {
  part: number;
  etag: string;
  crc32: number;
}

type StoredEntry = [path: string, sizeBytes: number, modifiedMs: number, type: string];

interface ObjectRow extends Record<string, SqlStorageValue> {
  object: number;
  runs: string;
  size: number;
  part_size: number;
  parts: number;
  r2_upload_id: string | null;
  phase: string;
  sums: string | null;
  is_retry: number;
}

/** SQLite storage of one transfer. A write is durable before the answer goes out. */
export class TransferStore {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  find(): TransferRecord | null {
    return this.#storage.kv.get<TransferRecord>(RECORD) ?? null;
  }

  save(record: TransferRecord): void {
    this.#storage.kv.put(RECORD, record);
  }

  create(): void {
    this.#storage.sql.exec("create table if not exists entries (page integer primary key, list text not null)");
    this.#storage.sql.exec(
      "create table if not exists removed (n integer primary key, at integer not null, wiped integer not null)",
    );
    this.#storage.sql.exec("create table if not exists sender_sums (n integer primary key, sha256 text not null)");
    this.#storage.sql.exec(`
      create table if not exists objects (
        object integer primary key, runs text not null, size integer not null, part_size integer not null,
        parts integer not null, r2_upload_id text, phase text not null, sums text, is_retry integer not null)`);
    this.#storage.sql.exec(`
      create table if not exists parts (
        object integer not null, part integer not null, etag text not null, crc32 integer not null,
        primary key (object, part)) without rowid`);
  }

  /** All of it or nothing, if the callback throws. */
  transaction<Result>(change: () => Result): Result {
    return this.#storage.transactionSync(change);
  }

  /** In the order of their numbers, decoded a row at a time. @param from the first number */
  *entries(from = 0): Generator<AnnouncedEntry> {
    const first = Math.floor(from / ENTRIES_PER_ROW);
    const pages = this.#storage.sql
      .exec<{ page: number }>("select page from entries where page >= ? order by page", first)
      .toArray();
    for (const { page } of pages) {
      yield* this.#entriesOf(page).slice(page === first ? from % ENTRIES_PER_ROW : 0);
    }
  }

  entry(n: number): AnnouncedEntry | null {
    return this.#entriesOf(Math.floor(n / ENTRIES_PER_ROW))[n % ENTRIES_PER_ROW] ?? null;
  }

  /** @param from the first unused number */
  appendEntries(from: number, list: AnnouncedEntry[]): void {
    for (let at = 0; at < list.length;) {
      const page = Math.floor((from + at) / ENTRIES_PER_ROW);
      const before = this.#rowOf(page);
      const count = Math.min(ENTRIES_PER_ROW - before.length, list.length - at);
      const added = list
        .slice(at, at + count)
        .map(({ path, sizeBytes, modifiedMs, type }): StoredEntry => [path, sizeBytes, modifiedMs, type]);
      this.#storage.sql.exec(
        "insert into entries values (?, ?) on conflict do update set list = excluded.list",
        page,
        JSON.stringify([...before, ...added]),
      );
      at += count;
    }
  }

  #entriesOf(page: number): AnnouncedEntry[] {
    return this.#rowOf(page).map(([path, sizeBytes, modifiedMs, type]) => ({ path, sizeBytes, modifiedMs, type }));
  }

  #rowOf(page: number): StoredEntry[] {
    const [row] = this.#storage.sql.exec<{ list: string }>("select list from entries where page = ?", page);
    return row ? (JSON.parse(row.list) as StoredEntry[]) : [];
  }

  /** Idempotent: keeps the first time. @param now epoch milliseconds */
  markRemoved(n: number, now: number): void {
    this.#storage.sql.exec("insert into removed values (?, ?, 0) on conflict do nothing", n, now);
  }

  /** Removed entries whose bytes may be in storage. */
  unwipedEntries(): number[] {
    return this.#storage.sql
      .exec<{ n: number }>("select n from removed where wiped = 0")
      .toArray()
      .map(({ n }) => n);
  }

  markWiped(numbers: number[]): void {
    this.#storage.sql.exec(
      "update removed set wiped = 1 where n in (select value from json_each(?))",
      JSON.stringify(numbers),
    );
  }

  /** Entry number to the moment of its removal, epoch milliseconds. */
  removedEntries(): Map<number, number> {
    const rows = this.#storage.sql.exec<{ n: number; at: number }>("select n, at from removed").toArray();
    return new Map(rows.map(({ n, at }) => [n, at]));
  }

  addSenderSum(n: number, sha256: string): void {
    this.#storage.sql.exec(
      "insert into sender_sums values (?, ?) on conflict do update set sha256 = excluded.sha256",
      n,
      sha256,
    );
  }

  /** Hex. */
  senderSum(n: number): string | null {
    const [row] = this.#storage.sql.exec<{ sha256: string }>("select sha256 from sender_sums where n = ?", n);
    return row?.sha256 ?? null;
  }

  saveObject(object: TransferObject): void {
    this.#storage.sql.exec(
      "insert or replace into objects values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      object.object,
      JSON.stringify(object.runs),
      object.sizeBytes,
      object.partSizeBytes,
      object.partCount,
      object.r2UploadId,
      object.phase,
      object.sums && JSON.stringify(object.sums.map(({ crc32, sha256 }) => [crc32, sha256])),
      object.isRetry ? 1 : 0,
    );
  }

  object(number: number): TransferObject | null {
    const [row] = this.#storage.sql.exec<ObjectRow>("select * from objects where object = ?", number);
    return row ? toObject(row) : null;
  }

  /** In the order of their numbers. */
  objects(...phases: ObjectPhase[]): TransferObject[] {
    return this.#storage.sql
      .exec<ObjectRow>(
        "select * from objects where phase in (select value from json_each(?)) order by object",
        JSON.stringify(phases),
      )
      .toArray()
      .map(toObject);
  }

  objectNumbers(...phases: ObjectPhase[]): number[] {
    const phaseList = JSON.stringify(phases);
    return this.#storage.sql
      .exec<{ object: number }>(
        "select object from objects where phase in (select value from json_each(?)) order by object",
        phaseList,
      )
      .toArray()
      .map(({ object }) => object);
  }

  /** Whether objects are still to be joined, or multipart uploads to be aborted. */
  hasObjectWork(): boolean {
    const [work] = this.#storage.sql
      .exec(
        "select 1 from objects where phase = 'joining' or phase in ('dropped', 'rejected') and r2_upload_id is not null limit 1",
      )
      .toArray();
    return work !== undefined;
  }

  /** One more than the highest number. */
  objectCount(): number {
    return this.#storage.sql.exec<{ n: number }>("select coalesce(max(object) + 1, 0) as n from objects").one().n;
  }

  hasReceipt(object: number, part: number, etag: string): boolean {
    const found = this.#storage.sql.exec(
      "select 1 from parts where object = ? and part = ? and etag = ?",
      object,
      part,
      etag,
    );
    return found.toArray().length > 0;
  }

  /** A part that is sent again replaces its receipt, as it replaces the part in R2. */
  addReceipt(object: number, { part, etag, crc32 }: PartReceipt): void {
    this.#storage.sql.exec("insert or replace into parts values (?, ?, ?, ?)", object, part, etag, crc32);
  }

  /** In the order of their numbers. */
  receipts(object: number): PartReceipt[] {
    return this.#storage.sql
      .exec<PartReceipt & Record<string, SqlStorageValue>>(
        "select part, etag, crc32 from parts where object = ? order by part",
        object,
      )
      .toArray();
  }

  deleteReceipts(object: number): void {
    this.#storage.sql.exec("delete from parts where object = ?", object);
  }

  async deleteAll(): Promise<void> {
    await this.#storage.deleteAlarm();
    await this.#storage.deleteAll();
  }
}

function toObject(row: ObjectRow): TransferObject {
  const sums = row.sums === null ? null : (JSON.parse(row.sums) as [number, string | null][]);
  return {
    object: row.object,
    runs: JSON.parse(row.runs) as Runs,
    sizeBytes: row.size,
    partSizeBytes: row.part_size,
    partCount: row.parts,
    r2UploadId: row.r2_upload_id,
    phase: row.phase as ObjectPhase,
    sums: sums && sums.map(([crc32, sha256]) => ({ crc32, sha256 })),
    isRetry: row.is_retry === 1,
  };
}
