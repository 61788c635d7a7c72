import type { Runs } from "#domain/transfers/runs.ts";

/**
 * "open": storage has a multipart upload for the object. "joining": all parts are completed. "stored": the entries can
 * be downloaded. Two phases are final and leave no bytes: "rejected" when the stored bytes differ from the sender's
 * CRC-32, and "dropped" when the sender gave the object up.
 */
export type ObjectPhase = "open" | "joining" | "stored" | "rejected" | "dropped";

/** The checksums of one entry's bytes. */
export interface EntrySum {
  crc32: number;
  /** The hash in hex; null for a large file whose sender sent none. */
  sha256: string | null;
}

/** The columns of an object's row that are quick to decode. */
export interface ObjectOutline {
  object: number;
  /** The numbers of the object's entries, in the order of their bytes. */
  runs: Runs;
  sizeBytes: number;
  partSizeBytes: number;
  partCount: number;
  /** Null until storage has created the multipart upload. */
  r2UploadId: string | null;
  phase: ObjectPhase;
}

export interface TransferObject extends ObjectOutline {
  /** The checksums of the entries in the order of `runs`; null until the object is stored. */
  sums: EntrySum[] | null;
  /**
   * Whether an earlier object with these entries was rejected. For a retry, the stored bytes count, whatever CRC-32 the
   * sender reports.
   */
  isRetry: boolean;
}

export interface SummedPart {
  part: number;
  etag: string;
  crc32: number;
}
