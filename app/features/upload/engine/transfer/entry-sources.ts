import { mimeTypeOf } from "#domain/mime.ts";
import type { AnnouncedEntry } from "#domain/wire.ts";
import type { TransferListEntry } from "./transfer-list.ts";

/** Where the bytes of entries come from, by their numbers. */
export class EntrySources {
  readonly #entries: (TransferListEntry | null)[] = [];

  /** @param entry null for one whose file this device does not have */
  set(n: number, entry: TransferListEntry | null): void {
    this.#entries[n] = entry;
  }

  get(n: number): TransferListEntry | null {
    return this.#entries[n] ?? null;
  }

  file(n: number): File | null {
    return this.#entries[n]?.file ?? null;
  }

  clear(): void {
    this.#entries.length = 0;
  }

  /** As a batch says it. The type is told only where the name does not tell it. */
  announcement(n: number): AnnouncedEntry {
    const { path = "", sizeBytes = 0, modifiedMs = 0, file = null } = this.#entries[n] ?? {};
    const type = file?.type ?? "";
    const isTold = mimeTypeOf(path, "") === mimeTypeOf(path, type);
    return isTold ? [path, sizeBytes, modifiedMs] : [path, sizeBytes, modifiedMs, type];
  }
}
