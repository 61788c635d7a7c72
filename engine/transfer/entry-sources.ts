import { mimeTypeOf } from "#domain/mime.ts";
import { sealedEntryName } from "#domain/seal/names.ts";
import { sealedSize } from "#domain/seal/sizes.ts";
import type { AnnouncedEntry } from "#domain/wire.ts";
import type { TransferListEntry } from "./transfer-list.ts";

/** How entries are announced: as plain or as sealed ones. */
export interface EntryForm {
  /** The number of bytes that are sent for an entry. */
  sentBytes(sizeBytes: number): number;
  announce(n: number, entry: TransferListEntry): AnnouncedEntry;
}

/** Announces plain entries, with a type only if the name does not imply it. */
export const PLAIN_FORM: EntryForm = {
  sentBytes: (sizeBytes) => sizeBytes,
  announce: (_n, { path, sizeBytes, modifiedMs, file }) => {
    const type = file?.type ?? "";
    const isTold = mimeTypeOf(path, "") === mimeTypeOf(path, type);
    return isTold ? [path, sizeBytes, modifiedMs] : [path, sizeBytes, modifiedMs, type];
  },
};

/** Announces sealed entries. Each entry is a stream, whose number is the entry's. */
export const SEALED_FORM: EntryForm = {
  sentBytes: sealedSize,
  announce: (n, { sizeBytes }) => [sealedEntryName(n), sealedSize(sizeBytes), 0, ""],
};

/** The files of entries, by entry number. */
export class EntrySources {
  readonly #entries: TransferListEntry[] = [];
  readonly #form: EntryForm;

  constructor(form = PLAIN_FORM) {
    this.#form = form;
  }

  /** @param entry has no file if this device lacks the file */
  set(n: number, entry: TransferListEntry): void {
    this.#entries[n] = entry;
  }

  get(n: number): TransferListEntry | null {
    return this.#entries[n] ?? null;
  }

  file(n: number): File | null {
    const entry = this.#entries[n];
    // A plain empty folder has no bytes, but a sealed one has.
    return entry?.file ?? (entry?.path.endsWith("/") ? new File([], "") : null);
  }

  /** Keeps a file, so that the person can retry its entry without choosing the file again. */
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
