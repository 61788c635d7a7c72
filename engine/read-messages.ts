/** Asks for the bytes of several blobs, one after the other, and for their CRC-32. A blob may be a stretch of a file. */
interface BytesRequest {
  kind: "bytes";
  blobs: Blob[];
}

/** Asks for the next part of a large file. The answer to the last part also has the SHA-256 of the whole file. */
interface PartRequest {
  kind: "part";
  /** A number that names the file, because parts of several files are read in turn. */
  key: number;
  file: File;
  start: number;
  /** Exclusive. */
  end: number;
}

/** Asks for the sums of ranges of a file, without their bytes. */
interface CheckRequest {
  kind: "check";
  file: File;
  /** Adjacent and in order. The end is exclusive. */
  ranges: { start: number; end: number }[];
}

/** A request for bytes to send. */
export type ObjectRequest = BytesRequest | PartRequest;

export type ReadRequest = ObjectRequest | CheckRequest;

/** The entries, in the order of their bytes, and the part of their object that a request reads. */
export interface ReadObject {
  numbers: readonly number[];
  part: number;
}

/** Why a file could not be read: the name of the browser's error, `WRONG_LENGTH` or `NO_FILE`. */
export interface ReadFailure {
  /** The position of the blob among the request's blobs; 0 for a part. */
  index: number;
  error: string;
}

export interface ReadAnswer {
  /** The bytes that were read. Empty after a failure, and for a check. */
  body: Blob;
  /** The CRC-32 of `body`, in 8 hexadecimal digits. */
  crc32: string;
  /**
   * The SHA-256 of everything that a check has read, or of a whole file with its last part if all parts were read in
   * order. Else null.
   */
  sha256: string | null;
  /** The CRC-32 of each range of a check. */
  sums?: string[];
  /** The marks of sealed entries. */
  marks?: { n: number; mark: string }[];
  failures: ReadFailure[];
}

/** The error for a file whose length has changed since it was chosen. */
export const WRONG_LENGTH = "WrongLength";

/** The error for an entry whose file this device does not have. */
export const NO_FILE = "NoFile";
