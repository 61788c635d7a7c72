import { mimeTypeOf } from "#domain/mime.ts";
import type { AnnouncedEntry } from "#domain/wire.ts";
import type { TransferListEntry } from "./transfer-list.ts";

/** Where the bytes of entries come from, by their numbers. */
export class EntrySources {
  readonly #entries: TransferListEntry[] = [];

  /** @param entry without a file where this device does not have it */
  set(n: number, entry: TransferListEntry): void {
    this.#entries[n] = entry;
  }

  get(n: number): TransferListEntry | null {
    return this.#entries[n] ?? null;
  }

  file(n: number): File | null {
    return this.#entries[n]?.file ?? null;
  }

  /** Lets the person try again with this file, without choosing it anew. */
  offer(n: number, entry: TransferListEntry): void {
    const { file, reload } = entry;
    this.set(n, file ? { ...entry, reload: reload ?? (() => Promise.resolve(file)) } : entry);
  }

  clear(): void {
    this.#entries.length = 0;
  }

  announcement(n: number): AnnouncedEntry {
    return announcementOf(this.#entries[n] ?? { path: "", sizeBytes: 0, modifiedMs: 0, file: null });
  }
}

/** As a batch says it. The type is told only where the name does not tell it. */
export function announcementOf({ path, sizeBytes, modifiedMs, file }: TransferListEntry): AnnouncedEntry {
  const type = file?.type ?? "";
  const isTold = mimeTypeOf(path, "") === mimeTypeOf(path, type);
  return isTold ? [path, sizeBytes, modifiedMs] : [path, sizeBytes, modifiedMs, type];
}
