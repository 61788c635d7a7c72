import type { ContentKeys } from "#domain/seal/keys.ts";
import type { ReadFailure } from "../read-messages.ts";

/** The messages to and from the sealing thread. A stream is the encrypted form of one file. */

interface Stream {
  stream: number;
  file: Blob;
}

/** A range of a sealed stream. */
export interface SealedRange {
  /** The part's number, from 1. */
  part: number;
  /** The first byte in the stream's sealed bytes; the end is exclusive. */
  start: number;
  end: number;
}

/** Seals several small streams into one pack, one after the other. */
interface PackRequest {
  kind: "pack";
  keys: ContentKeys;
  files: Stream[];
}

interface PartRequest extends Stream, SealedRange {
  kind: "part";
  keys: ContentKeys;
  /** Asks for the sums of the whole file, with its last part. The parts must be whole records, requested in order. */
  needsSums: boolean;
}

/** Reads a whole stream and answers its sums and the marks of its parts, without sealing. */
interface CheckRequest extends Stream {
  kind: "check";
  keys: ContentKeys;
  /** In order, and without a gap. */
  ranges: SealedRange[];
}

export type SealRequest = PackRequest | PartRequest | CheckRequest;

/** The sums of the plain file, in hexadecimal. */
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
   * Sums of each file of a pack or of a checked file. A large file's sums come with its last part, if all its parts
   * came in order.
   */
  sums: PlainSums[];
  failures: ReadFailure[];
}
