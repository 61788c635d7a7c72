import { createHash } from "node:crypto";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { MIB } from "#domain/units.ts";
import { INCOMING_PREFIX } from "#worker/storage/keys.ts";

/** A bucket behind an S3 API. */
export interface Store {
  client: S3Client;
  bucket: string;
}

export interface StoredObject {
  key: string;
  sizeBytes: number;
}

/** Reads bytes, `end` exclusive. */
export type Read = (start: number, end: number) => Promise<Uint8Array>;

/** Where exports of the database are, beside the copies of objects. */
export const EXPORTS_PREFIX = "database/";
/** Prefixes that are not copied. Unfinished uploads are not worth a copy. */
const NOT_COPIED = [INCOMING_PREFIX, EXPORTS_PREFIX];

/** The size of the parts of a copy. One part is in memory as a whole, and S3 takes 10,000 parts. */
const PART_BYTES = 64 * MIB;
const AT_ONCE = 4;

/** @param endpoint of the S3 API, without the bucket */
export function openStore(endpoint: string, bucket: string, accessKeyId: string, secretAccessKey: string): Store {
  const client = new S3Client({
    endpoint,
    region: "auto",
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    // R2 does not know all of the sums that the SDK adds by itself. We send an MD5, which every store compares.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  return { client, bucket };
}

/** Yields objects in the order of their keys. */
export async function* listObjects({ client, bucket }: Store, prefix = ""): AsyncGenerator<StoredObject> {
  for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix })) {
    for (const { Key: key, Size: sizeBytes } of page.Contents ?? []) {
      if (key !== undefined && sizeBytes !== undefined) yield { key, sizeBytes };
    }
  }
}

async function* listCopied(store: Store): AsyncGenerator<StoredObject> {
  for await (const object of listObjects(store)) {
    if (!NOT_COPIED.some((prefix) => object.key.startsWith(prefix))) yield object;
  }
}

export interface Copied {
  copied: number;
  copiedBytes: number;
  /** Objects that the copy had before. An object never changes, so an equal key and size mean an equal object. */
  there: number;
  deleted: number;
}

/**
 * Copies the objects that `to` lacks. The copying can be stopped and repeated.
 * @param options.deletesGone deletes from `to` what `from` has no more
 * @param options.partBytes how much of an object is in memory at once
 * @throws Error when `from` has nothing at all and `to` would lose everything; the store's error
 */
export async function copyObjects(
  from: Store,
  to: Store,
  { deletesGone, partBytes = PART_BYTES }: { deletesGone: boolean; partBytes?: number },
): Promise<Copied> {
  const result: Copied = { copied: 0, copiedBytes: 0, there: 0, deleted: 0 };
  const sources = listCopied(from);
  const copies = listCopied(to);
  let source = await sources.next();
  let copy = await copies.next();
  if (source.done && !copy.done && deletesGone) {
    throw new Error(`The bucket ${from.bucket} is empty, and its copy is not. Nothing was deleted: check S3_BUCKET.`);
  }
  const atWork = new Set<Promise<void>>();
  while (!source.done || !copy.done) {
    if (source.done || (!copy.done && copy.value.key < source.value.key)) {
      if (copy.done) break;
      if (deletesGone) {
        await to.client.send(new DeleteObjectCommand({ Bucket: to.bucket, Key: copy.value.key }));
        result.deleted += 1;
      }
      copy = await copies.next();
      continue;
    }
    const object = source.value;
    source = await sources.next();
    if (!copy.done && copy.value.key === object.key) {
      const isSame = copy.value.sizeBytes === object.sizeBytes;
      copy = await copies.next();
      if (isSame) {
        result.there += 1;
        continue;
      }
    }
    const work = copyObject(from, to, object, partBytes).then((isCopied) => {
      atWork.delete(work);
      if (!isCopied) return;
      result.copied += 1;
      result.copiedBytes += object.sizeBytes;
    });
    // `Promise.all` below reports the failure of a copy, unless a listing has failed before.
    work.catch(() => undefined);
    atWork.add(work);
    if (atWork.size >= AT_ONCE) await Promise.race(atWork);
  }
  await Promise.all(atWork);
  return result;
}

/** @returns false for an object that was deleted after it was listed */
async function copyObject(
  from: Store,
  to: Store,
  { key, sizeBytes }: StoredObject,
  partBytes: number,
): Promise<boolean> {
  const read = (start: number, end: number) => readObject(from, key, start, end);
  try {
    await putObject(to, key, sizeBytes, read, partBytes);
    return true;
  } catch (error) {
    if (error instanceof NoSuchKey) return false;
    throw error;
  }
}

/** @throws NoSuchKey; Error when the store sends less than it announced */
export async function readObject(
  { client, bucket }: Store,
  key: string,
  start: number,
  end: number,
): Promise<Uint8Array> {
  const range = end > start ? { Range: `bytes=${start}-${end - 1}` } : {};
  const { Body: body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key, ...range }));
  const bytes = (await body?.transformToByteArray()) ?? new Uint8Array();
  if (bytes.length !== end - start) throw new Error(`${key} sent ${bytes.length} bytes instead of ${end - start}.`);
  return bytes;
}

/** Stores an object, in parts if it is large. A store that received other bytes refuses them. */
export async function putObject(
  { client, bucket }: Store,
  key: string,
  sizeBytes: number,
  read: Read,
  partBytes = PART_BYTES,
): Promise<void> {
  const target = { Bucket: bucket, Key: key };
  if (sizeBytes <= partBytes) {
    await client.send(new PutObjectCommand({ ...target, ...withSum(await read(0, sizeBytes)) }));
    return;
  }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
  try {
    const parts: { ETag: string | undefined; PartNumber: number }[] = [];
    for (let start = 0; start < sizeBytes; start += partBytes) {
      const PartNumber = parts.length + 1;
      const bytes = await read(start, Math.min(start + partBytes, sizeBytes));
      const { ETag } = await client.send(new UploadPartCommand({ ...target, UploadId, PartNumber, ...withSum(bytes) }));
      parts.push({ ETag, PartNumber });
    }
    await client.send(new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts: parts } }));
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand({ ...target, UploadId })).catch(() => undefined);
    throw error;
  }
}

function withSum(Body: Uint8Array) {
  return { Body, ContentLength: Body.length, ContentMD5: createHash("md5").update(Body).digest("base64") };
}
