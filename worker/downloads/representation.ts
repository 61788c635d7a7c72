import type { Validators } from "#domain/http-semantics.ts";
import type { Run } from "#domain/transfers/runs.ts";
import type { ByteRange, SendBytes } from "./stored-bytes.ts";

export interface Representation extends Validators {
  downloadId: string;
  /** For the log. */
  key: string;
  /** Less than what is stored serves only its beginning. */
  sizeBytes: number;
  /** Type and file name; this file adds the others. */
  headers: Record<string, string>;
  /** For a link with a download limit. */
  coverage: {
    /** Names what the bytes are of. */
    resource: string;
    /** Runs of the resource that count as a download once they are covered, and that this range may complete. */
    wholesIn(range: ByteRange): Run[];
  };
  /** @throws AppError FILE_EXPIRED if the bytes no longer exist */
  open(range: ByteRange): Promise<SendBytes>;
}
