import type { ContentKeys } from "#domain/seal/keys.ts";
import type { ReadFailure } from "../transfer/read-messages.ts";

/** What the sealing thread is asked for, and what it answers. A stream is one file. */

interface Stream {
  stream: number;
  file: Blob;
}

/** A stretch of a sealed stream. */
export interface SealedRange {
  /** From 1. */
  part: number;
  /** In the stream's sealed bytes; the end is exclusive. */
  start: number;
  end: number;
}

/** Several small streams, one after the other. */
interface PackRequest {
  kind: "pack";
  keys: ContentKeys;
  files: Stream[];
}

interface PartRequest extends Stream, SealedRange {
  kind: "part";
  keys: ContentKeys;
  /**
   * Whether the sums of the whole file are asked for, once its parts have come in order. The parts hold whole records
   * then.
   */
  needsSums: boolean;
}

/** Reads a whole stream, and answers its sums and the marks of its parts without sealing it. */
interface CheckRequest extends Stream {
  kind: "check";
  keys: ContentKeys;
  /** In order, and without a gap. */
  ranges: SealedRange[];
}

export type SealRequest = PackRequest | PartRequest | CheckRequest;

/** The sums of a file as its sender has it, in hexadecimal. */
export interface PlainSums {
  sha256: string;
  crc32: string;
}

export interface SealAnswer {
  /** Sealed bytes. Empty after a failure, and for a check. */
  body: Blob;
  /** The CRC-32 of the body, in 8 hexadecimal digits. */
  crc32: string;
  /** The mark of each file of a pack, of the part, or of each range. */
  marks: string[];
  /**
   * The sums of each file of a pack, of a checked file, or of a large one with its last part if all parts came in
   * order.
   */
  sums: PlainSums[];
  failures: ReadFailure[];
}
