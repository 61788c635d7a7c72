import { AppError } from "#domain/errors.ts";
import type { Validators } from "#domain/http-semantics.ts";
import type { Run } from "#domain/transfers/runs.ts";
import type { FileRow } from "../db/files.ts";

export interface ByteRange {
  offset: number;
  length: number;
}

interface SendOptions {
  /** True: more bytes will be written, so the stream stays open. */
  preventClose?: boolean;
  /** Aborts the response. */
  signal?: AbortSignal;
}

/** Writes all bytes and closes the stream. Rejects, and so aborts the response, if storage fails or the reader goes. */
export type SendBytes = (to: WritableStream<Uint8Array>, options?: SendOptions) => Promise<void>;

/** @throws AppError FILE_EXPIRED if the object no longer exists */
export async function openObject(bucket: R2Bucket, key: string, range: ByteRange): Promise<ReadableStream<Uint8Array>> {
  // R2 rejects a range of zero bytes.
  const object = await bucket.get(key, range.length > 0 ? { range } : {});
  if (!object) throw new AppError("FILE_EXPIRED");
  return object.body;
}

export interface Representation extends Validators {
  downloadId: string;
  /** The link's row, as it was opened. */
  file: Pick<FileRow, "id" | "seal" | "status" | "scanState">;
  /** The object's key, for the log. */
  key: string;
  /** If smaller than the object, only the object's beginning is served. */
  sizeBytes: number;
  /** Content type and disposition; `createDownloadResponse` adds the other headers. */
  headers: Record<string, string>;
  /** The bytes that the gate of a link with a download limit counts. */
  coverage: {
    /** The name under which the gate counts these bytes. */
    resource: string;
    /** The runs of bytes that count as a download when they are fully sent, and that `range` may complete. */
    wholesIn(range: ByteRange): Run[];
  };
  /** @throws AppError FILE_EXPIRED if the bytes no longer exist */
  open(range: ByteRange): Promise<SendBytes>;
}
