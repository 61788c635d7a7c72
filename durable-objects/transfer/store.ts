import { inOrder, type RiskyKind } from "#domain/moderation/risky-kinds.ts";
import { deleteAllBut } from "../shared/delete-all-but.ts";
import { MANIFEST_KEYS } from "../shared/manifest-store.ts";
import { PICTURE_NAMES } from "../shared/pictures.ts";
import { EntryIndex } from "./entry-index.ts";
import { EntryStore } from "./entry-store.ts";
import { LIST_NAMES, ListStore } from "./list-store.ts";
import { ObjectStore } from "./object-store.ts";
import type { TransferRecord } from "./state.ts";

const RECORD = "transfer";
const RISK = "risk";

/** The SQLite storage of one transfer. The bytes that a call writes are durable before the call's answer goes out. */
export class TransferStore {
  readonly entries: EntryStore;
  readonly objects: ObjectStore;
  readonly list: ListStore;
  readonly #storage: DurableObjectStorage;
  #index: EntryIndex | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.entries = new EntryStore(storage.sql);
    this.objects = new ObjectStore(storage.sql);
    this.list = new ListStore(storage);
  }

  find(): TransferRecord | null {
    return this.#storage.kv.get<TransferRecord>(RECORD) ?? null;
  }

  save(record: TransferRecord): void {
    this.#storage.kv.put(RECORD, record);
  }

  /** The risky kinds that were found in the bytes of objects. */
  get risk(): RiskyKind[] {
    return this.#storage.kv.get<RiskyKind[]>(RISK) ?? [];
  }

  addRisk(kinds: readonly (RiskyKind | null)[]): void {
    if (kinds.every((kind) => kind === null)) return;
    const known = this.risk;
    const all = inOrder([...known, ...kinds]);
    if (all.length > known.length) this.#storage.kv.put(RISK, all);
  }

  create(isSealed: boolean): void {
    this.entries.create();
    this.objects.create();
    if (isSealed) this.objects.createMarks();
  }

  /**
   * The index of all entries. The index is kept in memory, and rebuilt from SQLite after an eviction or a rolled back
   * transaction.
   */
  get index(): EntryIndex {
    this.#index ??= new EntryIndex(this);
    return this.#index;
  }

  /** Runs the callback in a transaction, which is rolled back if the callback throws. */
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

  /** Deletes everything but the plain and the encrypted list and the pictures of a ready transfer. */
  async endUpload(): Promise<void> {
    this.#forgetMemory();
    const kept = [...LIST_NAMES, ...MANIFEST_KEYS, ...PICTURE_NAMES];
    await deleteAllBut(this.#storage, this.find()?.phase === "ready" ? kept : []);
  }

  async deleteAll(): Promise<void> {
    this.#forgetMemory();
    await this.#storage.deleteAlarm();
    await this.#storage.deleteAll();
  }
}
