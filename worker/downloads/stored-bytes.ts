import { AppError } from "#domain/errors.ts";

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
