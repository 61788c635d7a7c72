import type { ChecksumSource } from "#domain/checksums.ts";
import type { PlacedEntry } from "#domain/transfers/pages.ts";
import type { EntryState, PictureInfo } from "#domain/wire.ts";

/**
 * An entry of a transfer that may still be uploading. The entry has no object before it is stored, unless it is in
 * segments, whose bytes can be read while others arrive.
 */
export interface DescribedEntry extends PlacedEntry {
  n: number;
  /** The announced MIME type. */
  type: string;
  state: EntryState;
  /** SHA-256 in hex; null before the entry is stored, and for a large file whose sender sent none. */
  sha256: string | null;
  /** Absent for an entry without a picture, and where pictures are not asked for. */
  picture?: PictureInfo;
  /** Who has computed the sums. */
  crcSource: ChecksumSource;
}

export interface EntryRange {
  /** The number of the first entry. */
  from: number;
  /** The most entries in the answer. */
  count: number;
  withRemoved: boolean;
}
