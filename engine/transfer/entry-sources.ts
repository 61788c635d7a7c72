import { mimeTypeOf } from "#domain/mime.ts";
import { sealedEntryName } from "#domain/seal/names.ts";
import { sealedSize } from "#domain/seal/sizes.ts";
import type { AnnouncedEntry } from "#domain/wire.ts";
import type { TransferListEntry } from "./transfer-list.ts";

/** What the server learns of entries. */
export interface EntryForm {
  /** How many bytes are sent of an entry. */
  sentBytes(sizeBytes: number): number;
  announce(n: number, entry: TransferListEntry): AnnouncedEntry;
}

/** An entry as a batch announces it, with the type only where the name does not imply it. */
export const PLAIN_FORM: EntryForm = {
  sentBytes: (sizeBytes) => sizeBytes,
  announce: (_n, { path, sizeBytes, modifiedMs, file }) => {
    const type = file?.type ?? "";
    const isTold = mimeTypeOf(path, "") === mimeTypeOf(path, type);
    return isTold ? [path, sizeBytes, modifiedMs] : [path, sizeBytes, modifiedMs, type];
  },
};

/** Each entry is a stream with its number. */
export const SEALED_FORM: EntryForm = {
  sentBytes: sealedSize,
  announce: (n, { sizeBytes }) => [sealedEntryName(n), sealedSize(sizeBytes), 0, ""],
};

/** Where the bytes of entries come from, by their numbers. */
export class EntrySources {
  readonly #entries: TransferListEntry[] = [];
  readonly #form: EntryForm;

  constructor(form = PLAIN_FORM) {
    this.#form = form;
  }

  /** @param entry without a file where this device does not have it */
  set(n: number, entry: TransferListEntry): void {
    this.#entries[n] = entry;
  }

  get(n: number): TransferListEntry | null {
    return this.#entries[n] ?? null;
  }

  file(n: number): File | null {
    const entry = this.#entries[n];
    // Of an empty folder nothing is read, unless it is sealed.
    return entry?.file ?? (entry?.path.endsWith("/") ? new File([], "") : null);
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
    return this.#form.announce(n, this.#entries[n] ?? { path: "", sizeBytes: 0, modifiedMs: 0, file: null });
  }
}
