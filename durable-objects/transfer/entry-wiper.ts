import { toNumbers } from "#domain/transfers/runs.ts";
import { logError } from "#worker/log.ts";
import { numberedKey } from "#worker/storage/keys.ts";
import { deleteObjects, overwriteWithZeros, type Stretch } from "#worker/storage/objects.ts";
import { storedNumbers } from "./object.ts";
import type { TransferStore } from "./store.ts";

interface Dependencies {
  bucket: R2Bucket;
  store: TransferStore;
}

/**
 * Wipes the stored bytes of removed entries before the transfer is ready. Deletes an object whose entries are all
 * removed. In a pack that also has entries which are not removed, zeros replace the bytes, so that these entries keep
 * their offsets.
 */
export class EntryWiper {
  readonly #deps: Dependencies;
  #last: Promise<void> = Promise.resolve();

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  get isDue(): boolean {
    return this.#due().size > 0;
  }

  /**
   * Wipes one object after the other, because a pack of 16 MiB is held in memory. An object whose wipe fails is wiped
   * at a later call.
   */
  wipe(fileId: string): Promise<void> {
    this.#last = this.#last.then(async () => {
      for (const [object, numbers] of this.#due()) {
        try {
          await this.#wipeObject(fileId, object, numbers);
        } catch (error) {
          logError("transfer.wipe_failed", error, { uploadId: fileId, object });
        }
      }
    });
    return this.#last;
  }

  /** The numbers of the entries to wipe, by the stored object that holds their bytes. */
  #due(): Map<number, number[]> {
    const { store } = this.#deps;
    const due = new Map<number, number[]>();
    for (const n of store.entries.unwiped()) {
      const object = store.index.objectOf(n);
      if (object !== null && store.objects.overview.stored.has(object))
        due.set(object, [...(due.get(object) ?? []), n]);
    }
    return due;
  }

  async #wipeObject(fileId: string, number: number, removed: number[]): Promise<void> {
    const { bucket, store } = this.#deps;
    const { index } = store;
    const object = store.objects.find(number);
    if (!object) return;
    const numbers = toNumbers(object.runs);
    const keys = storedNumbers(object).map((stored) => numberedKey(fileId, stored));
    const [key = ""] = keys;
    if (numbers.every((n) => index.isRemoved(n))) await deleteObjects(bucket, keys);
    else {
      const stretches: Stretch[] = [];
      let from = 0;
      for (const n of numbers) {
        const length = index.sizeOf(n);
        if (removed.includes(n)) stretches.push({ from, length });
        from += length;
      }
      await overwriteWithZeros(bucket, key, stretches);
    }
    store.entries.markWiped(removed);
  }
}
