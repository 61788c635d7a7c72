import { mimeTypeOf } from "#domain/mime.ts";
import { sealedSize } from "#domain/seal/sizes.ts";
import { sealedEntryName } from "#domain/seal/names.ts";
import type { AnnouncedEntry } from "#domain/wire.ts";
import type { TransferListEntry } from "./transfer-list.ts";

/** What the server learns of entries. */
export interface EntryForm {
  /** How many bytes are sent of an entry. */
  sentBytes(sizeBytes: number): number;
  announce(n: number, entry: TransferListEntry): AnnouncedEntry;
}

/** As a batch says it. The type is told only where the name does not tell it. */
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
