import type { Runs } from "#domain/transfers/runs.ts";

/**
 * open: storage has its multipart upload; joining: all parts are completed; stored: its entries can be downloaded.
 * Two ends: rejected, when its bytes did not arrive as the sender had hashed them, and dropped by the sender.
 */
export type ObjectPhase = "open" | "joining" | "stored" | "rejected" | "dropped";

/** The sums of one entry's bytes. */
export interface EntrySum {
  crc32: number;
  /** Hex; null for a large file whose sender sent none. */
  sha256: string | null;
}

/** An object without what it takes long to decode. */
export interface ObjectOutline {
  object: number;
  /** Entries in the order of their bytes. */
  runs: Runs;
  sizeBytes: number;
  partSizeBytes: number;
  partCount: number;
  /** Null until storage has answered. */
  r2UploadId: string | null;
  phase: ObjectPhase;
}

export interface TransferObject extends ObjectOutline {
  /** In the order of `runs`; null until the object is stored. */
  sums: EntrySum[] | null;
  /** Whether its entries were rejected before: then the stored bytes count, whatever the sender's CRC says. */
  isRetry: boolean;
}

export interface SummedPart {
  part: number;
  etag: string;
  crc32: number;
}
