/** Asks for the bytes of several blobs, one after the other, and for their CRC-32. A blob may be a stretch of a file. */
interface BytesRequest {
  kind: "bytes";
  blobs: Blob[];
}

/** Asks for the next part of a large file. The answer to the last part also has the SHA-256 of the whole file. */
interface PartRequest {
  kind: "part";
  /** Tells the file from others whose parts are read in between. */
  key: number;
  file: File;
  start: number;
  /** Exclusive. */
  end: number;
}

/** Reads stretches of a file, and answers their sums alone. */
interface CheckRequest {
  kind: "check";
  file: File;
  /** In order, and without a gap. The end is exclusive. */
  ranges: { start: number; end: number }[];
}

/** For what is sent. */
export type ObjectRequest = BytesRequest | PartRequest;

export type ReadRequest = ObjectRequest | CheckRequest;

/** What is read: entries in the order of their bytes, and the part of their object. */
export interface ReadObject {
  numbers: readonly number[];
  part: number;
}

/** Why a file's bytes are not there: the browser's name of its error, or another length than the file had. */
export interface ReadFailure {
  /** Position in the request's blobs; 0 for a part. */
  index: number;
  error: string;
}

export interface ReadAnswer {
  /** What was read and summed, whatever becomes of the files. Empty after a failure, and for a check. */
  body: Blob;
  /** In 8 hexadecimal digits. */
  crc32: string;
  /**
   * The sum of what a check has read, or of a whole file with its last part, if all parts were read in order. Else
   * null.
   */
  sha256: string | null;
  /** CRC-32 of each range of a check. */
  sums?: string[];
  /** The marks of sealed entries. */
  marks?: { n: number; mark: string }[];
  failures: ReadFailure[];
}

/** The file has other bytes than when it was chosen. */
export const WRONG_LENGTH = "WrongLength";

/** This device does not have the file. */
export const NO_FILE = "NoFile";
