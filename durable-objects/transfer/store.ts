import { EntryIndex } from "./entry-index.ts";
import { EntryStore } from "./entry-store.ts";
import { ObjectStore } from "./object-store.ts";
import type { TransferRecord } from "./state.ts";

const RECORD = "transfer";

/** SQLite storage of one transfer. A write is durable before the answer goes out. */
export class TransferStore {
  readonly entries: EntryStore;
  readonly objects: ObjectStore;
  readonly #storage: DurableObjectStorage;
  #index: EntryIndex | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.entries = new EntryStore(storage.sql);
    this.objects = new ObjectStore(storage.sql);
  }

  find(): TransferRecord | null {
    return this.#storage.kv.get<TransferRecord>(RECORD) ?? null;
  }

  save(record: TransferRecord): void {
    this.#storage.kv.put(RECORD, record);
  }

  create(isSealed: boolean): void {
    this.entries.create();
    this.objects.create();
    if (isSealed) this.objects.createMarks();
  }

  /** Kept in memory; rebuilt from SQLite after an eviction or a rolled back transaction. */
  get index(): EntryIndex {
    this.#index ??= new EntryIndex(this);
    return this.#index;
  }

  /** All of it or nothing, if the callback throws. */
  transaction<Result>(change: () => Result): Result {
    try {
      return this.#storage.transactionSync(change);
    } catch (error) {
      this.#forgetMemory();
      throw error;
    }
  }

  #forgetMemory(): void {
    this.#index = null;
    this.entries.forgetMemory();
    this.objects.forgetMemory();
  }

  async deleteAll(): Promise<void> {
    this.#forgetMemory();
    await this.#storage.deleteAlarm();
    await this.#storage.deleteAll();
  }
}
