import { toHex } from "#domain/bytes-as-text.ts";
import { KIB } from "#domain/units.ts";
import { FILES_PREFIX, incomingKey, objectKey } from "./keys.ts";
import { StoredSha256, type Sha256State } from "./sha256.ts";

export interface StoredObject {
  sizeBytes: number;
  /** The strong ETag, unquoted. */
  etag: string;
}

export interface PartEtag {
  part: number;
  etag: string;
}

/** R2's code for a multipart upload that was completed or aborted. */
const NO_SUCH_UPLOAD = "10024";
const INVALID_PART = "10025";
/** R2 codes for parts that are too small or of unequal size: completing such an upload will never succeed. */
const UNJOINABLE = ["10011", "10048"];

/** How many bytes are read at once: smaller reads cost more CPU time. */
const HASH_READ_BYTES = 256 * KIB;

export class UploadGoneError extends Error {}

export async function createMultipart(bucket: R2Bucket, key: string, contentType: string): Promise<string> {
  const upload = await bucket.createMultipartUpload(key, { httpMetadata: { contentType } });
  return upload.uploadId;
}

/** @param body a stream must have a known length (R2 limit) @returns the unquoted ETag @throws UploadGoneError */
export async function putPart(
  bucket: R2Bucket,
  key: string,
  r2UploadId: string,
  part: number,
  body: ReadableStream | ArrayBufferView,
): Promise<string> {
  try {
    const uploaded = await bucket.resumeMultipartUpload(key, r2UploadId).uploadPart(part, body);
    return uploaded.etag;
  } catch (error) {
    if (isR2Error(error, NO_SUCH_UPLOAD)) throw new UploadGoneError();
    throw error;
  }
}

/** Stores bytes under `incoming/`, as a presigned PUT would. @returns the unquoted ETag */
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
 * Completes a multipart upload. A repeated call finds the object of a completed upload, so a lost answer does no harm.
 * @returns "invalid-parts" when R2 lacks a part with this ETag; null when neither upload nor object exists, or the parts
 * cannot be joined @throws Error when R2 does not answer
 */
export async function completeMultipart(
  bucket: R2Bucket,
  key: string,
  r2UploadId: string,
  receipts: PartEtag[],
): Promise<StoredObject | "invalid-parts" | null> {
  try {
    const parts = receipts.map(({ part, etag }) => ({ partNumber: part, etag }));
    return toStored(await bucket.resumeMultipartUpload(key, r2UploadId).complete(parts));
  } catch (error) {
    if (isR2Error(error, INVALID_PART)) return "invalid-parts";
    if (UNJOINABLE.some((code) => isR2Error(error, code))) return null;
    if (!isR2Error(error, NO_SUCH_UPLOAD)) throw error;
    const object = await bucket.head(key);
    return object && toStored(object);
  }
}

/** Aborts a multipart upload. Idempotent. */
export async function abortMultipart(bucket: R2Bucket, key: string, r2UploadId: string): Promise<void> {
  try {
    await bucket.resumeMultipartUpload(key, r2UploadId).abort();
  } catch (error) {
    if (!isR2Error(error, NO_SUCH_UPLOAD)) throw error;
  }
}

/** Opens the object of a single PUT. The caller must read or cancel the body. */
export function openIncoming(bucket: R2Bucket, fileId: string): Promise<R2ObjectBody | null> {
  return bucket.get(incomingKey(fileId));
}

/** Reads `length` bytes from `offset` on. @throws Error if the object does not exist */
export async function readRange(bucket: R2Bucket, key: string, offset: number, length: number): Promise<Uint8Array> {
  const object = await bucket.get(key, { range: { offset, length } });
  if (!object) throw new Error(`there is no object ${key}`);
  return new Uint8Array(await object.arrayBuffer());
}

/**
 * Copies an object from `incoming/` to `files/`. Copies the version that was opened, even if a PUT replaces it during
 * the copy. Never overwrites the file's object.
 * @returns the file's object and its SHA-256 in hex; null when an earlier copy existed and was deleted
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

/** The result of an earlier `promoteIncoming`; null if the file has no object. */
export async function findPromoted(
  bucket: R2Bucket,
  fileId: string,
): Promise<{ object: StoredObject; sha256: string } | null> {
  const object = await bucket.get(objectKey(fileId));
  return object && { object: toStored(object), sha256: await hash(object.body) };
}

/** Hashes objects as one file. @returns SHA-256 in hex; null if one of the objects does not exist */
export async function hashObjects(bucket: R2Bucket, keys: readonly string[]): Promise<string | null> {
  const digest = new crypto.DigestStream("SHA-256");
  for (const key of keys) {
    const object = await bucket.get(key);
    if (!object) return null;
    await object.body.pipeTo(digest, { preventClose: true });
  }
  await digest.close();
  return toHex(await digest.digest);
}

/** Bytes of an object. */
export interface StoredStretch {
  key: string;
  offset: number;
  length: number;
}

/**
 * Continues the hash of a file.
 * @param stretches the bytes that follow those of the state, in their order
 * @returns null if one of the objects does not exist
 * @throws Error when storage sends fewer bytes
 */
export async function hashStretches(
  bucket: R2Bucket,
  stretches: readonly StoredStretch[],
  from: Sha256State | undefined,
): Promise<StoredSha256 | null> {
  const sum = new StoredSha256(from);
  for (const stretch of stretches) if (!(await addStretch(bucket, stretch, sum))) return null;
  return sum;
}

/** @returns false if the object does not exist */
async function addStretch(
  bucket: R2Bucket,
  { key, offset, length }: StoredStretch,
  sum: StoredSha256,
): Promise<boolean> {
  const object = await bucket.get(key, { range: { offset, length } });
  if (!object) return false;
  const reader = object.body.getReader({ mode: "byob" });
  let left = length;
  for (let memory = new ArrayBuffer(HASH_READ_BYTES); left > 0;) {
    const { value } = await reader.readAtLeast(Math.min(left, HASH_READ_BYTES), new Uint8Array(memory));
    if (!value || value.byteLength === 0) throw new Error(`storage sent ${left} bytes too few of ${key}`);
    sum.update(value);
    left -= value.byteLength;
    memory = value.buffer;
  }
  return true;
}

/**
 * Reads objects, or ranges of them, one after the other.
 * @throws Error if one of the objects does not exist
 */
export async function* readStored(
  bucket: R2Bucket,
  stored: readonly { key: string; range?: { offset: number; length: number } }[],
): AsyncGenerator<Uint8Array> {
  for (const { key, range } of stored) {
    const object = await bucket.get(key, range ? { range } : {});
    if (!object) throw new Error(`there is no object ${key}`);
    yield* object.body as ReadableStream<Uint8Array>;
  }
}

async function hash(body: ReadableStream): Promise<string> {
  const digest = new crypto.DigestStream("SHA-256");
  await body.pipeTo(digest);
  return toHex(await digest.digest);
}

export interface ListedObject {
  key: string;
  sizeBytes: number;
  /** Epoch milliseconds. */
  uploadedAt: number;
}

/** Lists the objects that links serve, sorted by key. @param after a key @param limit at most 1,000 (R2 limit) */
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

export const MAX_DELETED_PER_CALL = 1000;

/**
 * The most delete calls at once: fewer than the six simultaneous connections of an invocation (Workers platform limit).
 */
const MAX_PARALLEL_DELETES = 5;

export const MAX_DELETED_AT_ONCE = MAX_PARALLEL_DELETES * MAX_DELETED_PER_CALL;

/** Deletes any number of objects. A missing object counts as deleted. */
export async function deleteManyObjects(bucket: R2Bucket, keys: string[]): Promise<void> {
  for (let first = 0; first < keys.length; first += MAX_DELETED_AT_ONCE) {
    const round = keys.slice(first, first + MAX_DELETED_AT_ONCE);
    const calls = Array.from({ length: Math.ceil(round.length / MAX_DELETED_PER_CALL) }, (_, call) =>
      deleteObjects(bucket, round.slice(call * MAX_DELETED_PER_CALL, (call + 1) * MAX_DELETED_PER_CALL)),
    );
    await Promise.all(calls);
  }
}

/** @param keys at most 1,000 (R2 limit) */
export async function deleteObjects(bucket: R2Bucket, keys: string[]): Promise<void> {
  if (keys.length > 0) await bucket.delete(keys);
}

function toStored(object: R2Object): StoredObject {
  return { sizeBytes: object.size, etag: object.etag };
}

function isR2Error(error: unknown, code: string): boolean {
  return error instanceof Error && error.message.includes(`(${code})`);
}

export async function pingStore(bucket: R2Bucket): Promise<void> {
  await bucket.head("health");
}

export interface Stretch {
  from: number;
  length: number;
}

/**
 * Writes zeros over byte ranges of an object of at most 16 MiB, if the object exists.
 * @throws Error on a parallel write, after which the caller should retry
 */
export async function overwriteWithZeros(bucket: R2Bucket, key: string, stretches: Stretch[]): Promise<void> {
  const object = await bucket.get(key);
  if (!object) return;
  const bytes = new Uint8Array(await object.arrayBuffer());
  for (const { from, length } of stretches) bytes.fill(0, from, from + length);
  const written = await bucket.put(key, bytes, {
    httpMetadata: object.httpMetadata ?? {},
    onlyIf: { etagMatches: object.etag },
  });
  if (!written) throw new Error(`${key} changed while it was being overwritten`);
}
