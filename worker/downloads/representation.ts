import { AppError } from "#domain/errors.ts";
import type { Validators } from "#domain/http-semantics.ts";
import type { Run } from "#domain/transfers/runs.ts";

export interface ByteRange {
  offset: number;
  length: number;
}

interface SendOptions {
  /** More will be written. */
  preventClose?: boolean;
  /** Breaks the response off. */
  signal?: AbortSignal;
}

/** Writes all bytes and closes. Rejects when storage fails, which breaks the response off, or the reader leaves. */
export type SendBytes = (to: WritableStream<Uint8Array>, options?: SendOptions) => Promise<void>;

/** The bytes of an empty file. */
export const sendNothing: SendBytes = async (to, { preventClose = false } = {}) => {
  if (!preventClose) await to.close();
};

/** @throws AppError FILE_EXPIRED if the object no longer exists */
export async function sendObject(bucket: R2Bucket, key: string, range: ByteRange): Promise<SendBytes> {
  const body = await openObject(bucket, key, range);
  return (to, options) => body.pipeTo(to, options);
}

/** @throws AppError FILE_EXPIRED if the object no longer exists */
export async function openObject(bucket: R2Bucket, key: string, range: ByteRange): Promise<ReadableStream<Uint8Array>> {
  // R2 rejects a range of zero bytes.
  const object = await bucket.get(key, range.length > 0 ? { range } : {});
  if (!object) throw new AppError("FILE_EXPIRED");
  return object.body;
}

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
