/** What the reading thread is asked for, and what it answers. */

/** The bytes of several files, one after the other. */
interface PackRequest {
  kind: "pack";
  files: File[];
}

/** A stretch of a large file. */
interface PartRequest {
  kind: "part";
  /** Tells the file from others: its parts are hashed in order. */
  key: number;
  file: File;
  start: number;
  /** Exclusive. */
  end: number;
}

export type ReadRequest = PackRequest | PartRequest;

/** What is read: entries in the order of their bytes, and the part of their object. */
export interface ReadObject {
  numbers: readonly number[];
  part: number;
}

/** Why a file's bytes are not there: the browser's name of its error, or another length than the file had. */
export interface ReadFailure {
  /** Position in the pack; 0 for a part. */
  index: number;
  error: string;
}

export interface ReadAnswer {
  /** What was read and summed, whatever becomes of the files. Empty after a failure. */
  body: Blob;
  /** In 8 hexadecimal digits. */
  crc32: string;
  /** Of the whole file, with its last part, if all parts were read in order. Else null. */
  sha256: string | null;
  /** Of sealed entries. */
  marks?: { n: number; mark: string }[];
  failures: ReadFailure[];
}

/** The file has other bytes than when it was chosen. */
export const WRONG_LENGTH = "WrongLength";
/** This device does not have the file. */
export const NO_FILE = "NoFile";
