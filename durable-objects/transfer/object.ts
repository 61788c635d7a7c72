import type { Runs } from "#domain/transfers/runs.ts";

/**
 * "open": storage has a multipart upload for the object. "joining": all parts are completed. "stored": the entries can
 * be downloaded. Two phases are final without bytes: "rejected" when the stored bytes differ from the sender's sum, and
 * "dropped" by the sender.
 */
export type ObjectPhase = "open" | "joining" | "stored" | "rejected" | "dropped";

/** The sums of one entry's bytes. */
export interface EntrySum {
  crc32: number;
  /** Hex; null for a large file whose sender sent none. */
  sha256: string | null;
}

/** The columns of an object that are quick to decode. */
export interface ObjectOutline {
  object: number;
  /** Entries in the order of their bytes. */
  runs: Runs;
  sizeBytes: number;
  partSizeBytes: number;
  partCount: number;
  /** Null until storage has created the multipart upload. */
  r2UploadId: string | null;
  phase: ObjectPhase;
}

export interface TransferObject extends ObjectOutline {
  /** In the order of `runs`; null until the object is stored. */
  sums: EntrySum[] | null;
  /**
   * Whether the entries of the object were rejected before. The stored bytes then count, whatever the sender's CRC-32
   * is.
   */
  isRetry: boolean;
}

export interface SummedPart {
  part: number;
  etag: string;
  crc32: number;
}
