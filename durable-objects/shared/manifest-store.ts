import type { PutManifest } from "#domain/wire.ts";
import type { Database } from "#worker/db/client.ts";
import type { OwnerKey } from "#worker/db/files.ts";
import {
  deleteStoredManifest,
  findManifestRevision,
  findStoredManifest,
  replaceManifest,
  type StoredManifest,
} from "#worker/db/manifests.ts";

const CURRENT = "manifest";
const NEXT = "next-manifest";

/** The storage keys that stay as long as the link's bytes. */
export const MANIFEST_KEYS = [CURRENT, NEXT];

interface Kept extends StoredManifest {
  /** Whether the list was copied from D1, and D1 has not confirmed yet that its own copy is deleted. */
  isCopy?: boolean;
}

/**
 * The newest encrypted list of files of a sealed link, at most 1.4 MB. The link's row in D1 has the list's revision. A
 * next list is stored in this object first; the update of the link's row decides whether the next list replaces the
 * current one.
 */
export class ManifestStore {
  readonly #storage: DurableObjectStorage;
  readonly #db: Database;
  #last: Promise<unknown> = Promise.resolve();

  constructor(storage: DurableObjectStorage, db: Database) {
    this.#storage = storage;
    this.#db = db;
  }

  /** Stores the first list of a link. */
  begin(body: string): void {
    this.#save(CURRENT, { revision: 0, final: false, body });
  }

  forget(): void {
    for (const key of MANIFEST_KEYS) this.#storage.kv.delete(key);
  }

  /** @returns null for a plain link, and once the bytes are deleted */
  read(fileId: string): Promise<StoredManifest | null> {
    return this.#inTurn(() => this.#read(fileId));
  }

  /**
   * Replaces the list by its next revision.
   * @returns whether the list was replaced, with the list that was stored before
   */
  put(
    fileId: string,
    owner: OwnerKey,
    next: PutManifest,
  ): Promise<{ isReplaced: boolean; stored: StoredManifest | null }> {
    return this.#inTurn(async () => {
      const stored = await this.#read(fileId);
      if (stored?.revision !== next.revision - 1) return { isReplaced: false, stored };
      this.#save(NEXT, next);
      const isReplaced = await replaceManifest(this.#db, fileId, owner, next);
      this.#settleNext(isReplaced);
      return { isReplaced, stored };
    });
  }

  /** Moves a list that still stands in D1 into this object. Idempotent. */
  async move(fileId: string): Promise<void> {
    await this.read(fileId);
    await deleteStoredManifest(this.#db, fileId);
  }

  async #read(fileId: string): Promise<StoredManifest | null> {
    const next = this.#storage.kv.get<Kept>(NEXT);
    // A next list is left over if a crash came between D1's answer and the end of the call that stored it.
    if (next) this.#settleNext((await findManifestRevision(this.#db, fileId)) === next.revision);
    const current = this.#storage.kv.get<Kept>(CURRENT) ?? (await this.#copy(fileId));
    if (!current) return null;
    if (current.isCopy && !(await this.#confirmCopy(fileId, current))) return null;
    const { revision, final, body } = current;
    return { revision, final, body };
  }

  async #copy(fileId: string): Promise<Kept | null> {
    const stored = await findStoredManifest(this.#db, fileId);
    if (!stored) return null;
    const copy = { ...stored, isCopy: true };
    this.#save(CURRENT, copy);
    return copy;
  }

  /** Deletes the list in D1. If the link has ended since the list was copied, forgets the copy. */
  async #confirmCopy(fileId: string, { revision, final, body }: Kept): Promise<boolean> {
    const { isNeeded } = await deleteStoredManifest(this.#db, fileId);
    if (!isNeeded || !this.#storage.kv.get(CURRENT)) {
      this.forget();
      return false;
    }
    this.#save(CURRENT, { revision, final, body });
    return true;
  }

  #settleNext(isReplaced: boolean): void {
    const next = this.#storage.kv.get<Kept>(NEXT);
    if (!next) return;
    this.#storage.transactionSync(() => {
      if (isReplaced) this.#save(CURRENT, next);
      this.#storage.kv.delete(NEXT);
    });
  }

  #save(key: string, { revision, final, body, isCopy }: Kept): void {
    this.#storage.kv.put(key, { revision, final, body, ...(isCopy && { isCopy }) } satisfies Kept);
  }

  /** Runs the task after all earlier tasks. */
  #inTurn<Result>(task: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(task);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
