import { toHex } from "#domain/hex.ts";
import { FILES_PREFIX, incomingKey, objectKey } from "./keys.ts";

/** An object as the store knows it. `etag` is strong and unquoted. */
export interface StoredObject {
  sizeBytes: number;
  etag: string;
}

export interface PartReceipt {
  part: number;
  etag: string;
}

/** What the R2 binding answers to a finished or aborted multipart upload, and to parts it does not have (R2 error codes). */
const NO_SUCH_UPLOAD = "10024";
const INVALID_PART = "10025";
/** Parts smaller than R2 joins, and parts of unequal size: nothing will ever join them. */
const UNJOINABLE = ["10011", "10048"];

/** The parts that were named are not the ones the store has. */
export class InvalidPartError extends Error {}

/** The multipart upload has ended. */
export class UploadGoneError extends Error {}

/** Opens a multipart upload for a file. @returns the store's upload id */
export async function createMultipart(bucket: R2Bucket, fileId: string, contentType: string): Promise<string> {
  const upload = await bucket.createMultipartUpload(objectKey(fileId), { httpMetadata: { contentType } });
  return upload.uploadId;
}

/**
 * Sends one part through the binding. A stream needs a known length (R2 platform limit).
 * @returns the part's ETag, unquoted
 * @throws UploadGoneError when the multipart upload has been completed or aborted
 */
export async function putPart(
  bucket: R2Bucket,
  fileId: string,
  r2UploadId: string,
  part: number,
  body: ReadableStream | ArrayBufferView,
): Promise<string> {
  try {
    const uploaded = await bucket.resumeMultipartUpload(objectKey(fileId), r2UploadId).uploadPart(part, body);
    return uploaded.etag;
  } catch (error) {
    if (isR2Error(error, NO_SUCH_UPLOAD)) throw new UploadGoneError();
    throw error;
  }
}

/** Puts a small file where its presigned PUT would have. @returns its ETag, unquoted */
export async function putIncoming(
  bucket: R2Bucket,
  fileId: string,
  body: ReadableStream | string,
  contentType: string,
): Promise<string> {
  const object = await bucket.put(incomingKey(fileId), body, { httpMetadata: { contentType } });
  return object.etag;
}

/**
 * Joins the parts into the file's object. Repeating it after a lost answer is safe: an upload that is gone but whose
 * object is there has been completed.
 * @returns the object, or null when neither the upload nor an object exists, or its parts cannot be joined
 * @throws InvalidPartError when the store does not have those parts
 */
export async function completeMultipart(
  bucket: R2Bucket,
  fileId: string,
  r2UploadId: string,
  receipts: PartReceipt[],
): Promise<StoredObject | null> {
  const key = objectKey(fileId);
  try {
    const parts = receipts.map(({ part, etag }) => ({ partNumber: part, etag }));
    return toStored(await bucket.resumeMultipartUpload(key, r2UploadId).complete(parts));
  } catch (error) {
    if (isR2Error(error, INVALID_PART)) throw new InvalidPartError();
    if (UNJOINABLE.some((code) => isR2Error(error, code))) return null;
    if (!isR2Error(error, NO_SUCH_UPLOAD)) throw error;
    const object = await bucket.head(key);
    return object && toStored(object);
  }
}

/** Discards a multipart upload and its parts. An upload that is gone already is fine. */
export async function abortMultipart(bucket: R2Bucket, fileId: string, r2UploadId: string): Promise<void> {
  try {
    await bucket.resumeMultipartUpload(objectKey(fileId), r2UploadId).abort();
  } catch (error) {
    if (!isR2Error(error, NO_SUCH_UPLOAD)) throw error;
  }
}

/** Opens what arrived through a small file's presigned PUT, if anything did. Its body has to be read or cancelled. */
export function openIncoming(bucket: R2Bucket, fileId: string): Promise<R2ObjectBody | null> {
  return bucket.get(incomingKey(fileId));
}

/**
 * Copies what arrived to the file's own key, which no URL was ever signed for, hashing it on the way. The bytes are those
 * of the object that was opened, whatever its URL does meanwhile, and nothing is ever overwritten.
 * @returns the object and its SHA-256 in hex, or null when an earlier copy was there and is gone
 */
export async function promoteIncoming(
  bucket: R2Bucket,
  fileId: string,
  incoming: R2ObjectBody,
  contentType: string,
): Promise<{ object: StoredObject; sha256: string } | null> {
  const [copied, hashed] = incoming.body.tee();
  const [written, sha256] = await Promise.all([
    bucket.put(objectKey(fileId), copied.pipeThrough(new FixedLengthStream(incoming.size)), {
      httpMetadata: { contentType },
      onlyIf: { etagDoesNotMatch: "*" },
    }),
    hash(hashed),
  ]);
  if (!written) return findPromoted(bucket, fileId);
  return { object: toStored(written), sha256 };
}

/** The file's object, where an earlier copy had already gone through, with its SHA-256 in hex. */
export async function findPromoted(
  bucket: R2Bucket,
  fileId: string,
): Promise<{ object: StoredObject; sha256: string } | null> {
  const object = await bucket.get(objectKey(fileId));
  return object && { object: toStored(object), sha256: await hash(object.body) };
}

/** SHA-256 of the file's object in hex, read whole; null when it is gone. */
export async function hashObject(bucket: R2Bucket, fileId: string): Promise<string | null> {
  const object = await bucket.get(objectKey(fileId));
  return object && hash(object.body);
}

async function hash(body: ReadableStream): Promise<string> {
  const digest = new crypto.DigestStream("SHA-256");
  await body.pipeTo(digest);
  return toHex(await digest.digest);
}

/** An object as a listing shows it. */
export interface ListedObject {
  key: string;
  sizeBytes: number;
  /** Epoch milliseconds. */
  uploadedAt: number;
}

/** Files' objects in the order of their keys, at most 1,000 (R2 platform limit). @returns whether there are more, too */
export async function listFileObjects(
  bucket: R2Bucket,
  after: string,
  limit: number,
): Promise<{ objects: ListedObject[]; hasMore: boolean }> {
  const page = await bucket.list({ prefix: FILES_PREFIX, limit, ...(after === "" ? {} : { startAfter: after }) });
  const objects = page.objects.map(({ key, size, uploaded }) => ({
    key,
    sizeBytes: size,
    uploadedAt: uploaded.getTime(),
  }));
  return { objects, hasMore: page.truncated };
}

/** Deletes objects, at most 1,000 a call (R2 platform limit). Resolves once the store has confirmed it. */
export async function deleteObjects(bucket: R2Bucket, keys: string[]): Promise<void> {
  if (keys.length > 0) await bucket.delete(keys);
}

function toStored(object: R2Object): StoredObject {
  return { sizeBytes: object.size, etag: object.etag };
}

function isR2Error(error: unknown, code: string): boolean {
  return error instanceof Error && error.message.includes(`(${code})`);
}

/** Asks the store for an object that is not there: it answers, or throws. */
export async function pingStore(bucket: R2Bucket): Promise<void> {
  await bucket.head("health");
}
