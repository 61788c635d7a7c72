import { createHash } from "node:crypto";
import type { Checksum } from "#domain/checksums.ts";
import { AppError } from "#domain/errors.ts";
import { mimeTypeOf } from "#domain/mime.ts";
import type { DownloadNotice } from "#domain/notices/when-mailed.ts";
import { partLength, SERVER_PART_BYTES } from "#domain/parts.ts";
import type { ProtectionAtStart, ProxyUploadAnswer, ProxyUploadFields, CompletedPart } from "#domain/wire.ts";
import { newFileId, type Caller } from "../callers/caller.ts";
import { checkPlan } from "../callers/check-plan.ts";
import { readLifetime, type ChosenEnd } from "../callers/lifetime.ts";
import { sessionOf, toAppError } from "../callers/sessions.ts";
import { findFileById } from "../db/files.ts";
import type { NewFile } from "../db/uploads.ts";
import { REQUEST_WAIT_MS, withMemory } from "../memory.ts";
import type { Services } from "../services.ts";
import { incomingKey, objectKey } from "../storage/keys.ts";
import { abortMultipart, createMultipart, deleteObjects, putIncoming, putPart } from "../storage/objects.ts";
import { contentUrl, toIso } from "../urls.ts";
import { openUpload } from "./open-upload.ts";
import type { FormFile } from "./proxy-form.ts";

type FormFields = Pick<
  ProxyUploadFields,
  "filename" | "expiration" | "expiresAt" | "password" | "maxDownloads" | "notify"
>;

/** A file that is stored before the fields of its form are known. */
export interface StoredFormFile extends StoredParts {
  id: string;
  filename: string;
  contentType: string;
}

/** The bytes of an object, as they arrive. A piece may overwrite the one before. */
interface ObjectStream {
  key: string;
  mimeType: string;
  stream: AsyncIterable<Uint8Array>;
}

/** Memory for one part of an object. */
export interface PartMemory {
  buffer: Uint8Array;
  /** Says that bytes still arrive. */
  isAlive(): void;
}

/** Bytes of one request, stored as parts of a multipart upload. */
interface StoredParts {
  /** Null for an empty file: S3 completes no multipart upload without a part. */
  r2UploadId: string | null;
  sizeBytes: number;
  sha256: string;
  receipts: CompletedPart[];
}

/**
 * Runs `work` with memory for a part, for one object after the other. @throws AppError OVERLOADED if the isolate has none
 * for 10 s
 */
export function withPartMemory<Result>(work: (memory: PartMemory) => Promise<Result>): Promise<Result> {
  return withMemory(SERVER_PART_BYTES, REQUEST_WAIT_MS, (isAlive) =>
    work({ buffer: new Uint8Array(SERVER_PART_BYTES), isAlive }),
  );
}

/**
 * Stores a stream as a multipart upload, because its length is unknown until the end.
 * @throws AppError BODY_TOO_LARGE above `maxBytes`; nothing stays
 */
export async function storeParts(
  { bucket }: Services,
  { key, mimeType, stream }: ObjectStream,
  maxBytes: number,
  { buffer, isAlive }: PartMemory,
): Promise<StoredParts> {
  let r2UploadId: string | null = null;
  const hash = createHash("sha256");
  const receipts: CompletedPart[] = [];
  let filled = 0;
  let sizeBytes = 0;
  const flush = async () => {
    r2UploadId ??= await createMultipart(bucket, key, mimeType);
    const part = receipts.length + 1;
    receipts.push({ part, etag: await putPart(bucket, key, r2UploadId, part, buffer.subarray(0, filled)) });
    filled = 0;
  };
  try {
    for await (const chunk of stream) {
      isAlive();
      sizeBytes += chunk.byteLength;
      if (sizeBytes > maxBytes) throw new AppError("BODY_TOO_LARGE");
      hash.update(chunk);
      for (let offset = 0; offset < chunk.byteLength;) {
        const copied = Math.min(buffer.byteLength - filled, chunk.byteLength - offset);
        buffer.set(chunk.subarray(offset, offset + copied), filled);
        filled += copied;
        offset += copied;
        if (filled === buffer.byteLength) await flush();
      }
    }
    if (filled > 0) await flush();
  } catch (error) {
    if (r2UploadId !== null) await abortMultipart(bucket, key, r2UploadId);
    throw error;
  }
  return { r2UploadId, sizeBytes, sha256: hash.digest("hex"), receipts };
}

/**
 * Stores a stream of a known length as parts, which go on to storage as they arrive. A failed part cannot be sent again.
 * @param sizeBytes above 0 @throws the stream's error if the sender stops; nothing stays
 */
async function streamParts(
  { bucket }: Services,
  { key, mimeType, stream }: ObjectStream,
  sizeBytes: number,
): Promise<StoredParts> {
  const r2UploadId = await createMultipart(bucket, key, mimeType);
  const hash = createHash("sha256");
  const receipts: CompletedPart[] = [];
  const pieces = stream[Symbol.asyncIterator]();
  /** What is left of the last piece. */
  let piece: Uint8Array = new Uint8Array();
  const send = async (writer: WritableStreamDefaultWriter<Uint8Array>, lengthBytes: number) => {
    for (let left = lengthBytes; left > 0;) {
      if (piece.byteLength === 0) {
        const next = await pieces.next();
        if (next.done === true) throw new Error("the body is shorter than its Content-Length");
        piece = next.value;
      }
      const bytes = piece.subarray(0, left);
      hash.update(bytes);
      await writer.write(bytes);
      piece = piece.subarray(bytes.byteLength);
      left -= bytes.byteLength;
    }
    await writer.close();
  };
  try {
    for (let sentBytes = 0; sentBytes < sizeBytes;) {
      const part = receipts.length + 1;
      const lengthBytes = partLength(sizeBytes, part, SERVER_PART_BYTES);
      const { readable, writable } = new FixedLengthStream(lengthBytes);
      const writer = writable.getWriter();
      const sending = send(writer, lengthBytes).catch(async (error: unknown) => {
        await writer.abort(error).catch(() => undefined);
        throw error;
      });
      const [etag] = await Promise.all([putPart(bucket, key, r2UploadId, part, readable), sending]);
      receipts.push({ part, etag });
      sentBytes += lengthBytes;
    }
  } catch (error) {
    await abortMultipart(bucket, key, r2UploadId);
    throw error;
  } finally {
    await pieces.return?.();
  }
  return { r2UploadId, sizeBytes, sha256: hash.digest("hex"), receipts };
}

/**
 * Stores a file of a form, or the body of a request. An empty file is stored like a single PUT.
 * @param sizeBytes if it is known before @throws AppError BODY_TOO_LARGE above `maxBytes`, OVERLOADED; nothing stays
 */
export async function storeFormFile(
  services: Services,
  caller: Caller,
  file: FormFile & { sizeBytes?: number | null },
  maxBytes: number,
): Promise<StoredFormFile> {
  const id = newFileId(caller);
  const { filename, contentType, stream, sizeBytes = null } = file;
  const mimeType = mimeTypeOf(filename, contentType);
  const object = { key: objectKey(id), mimeType, stream };
  const stored =
    sizeBytes !== null && sizeBytes > 0
      ? await streamParts(services, object, sizeBytes)
      : await withPartMemory((memory) => storeParts(services, object, maxBytes, memory));
  if (stored.r2UploadId === null) await putIncoming(services.bucket, id, "", mimeType);
  return { id, filename, contentType, ...stored };
}

/** @throws AppError PLAN_LIMIT_EXCEEDED, STORAGE_UNAVAILABLE, BAD_REQUEST for a wrong end */
export async function completeForm(
  services: Services,
  caller: Caller,
  stored: StoredFormFile,
  readFields: () => FormFields,
): Promise<ProxyUploadAnswer> {
  const { password, maxDownloads, ...fields } = readFields();
  const chosen = { ...fields, guards: { password, maxDownloads } };
  const { file, expiresAt } = await completeStored(services, caller, stored, chosen);
  return {
    downloadId: file.downloadId,
    originalName: file.filename,
    downloadUrl: contentUrl(services.settings, file.downloadId),
    expiresAt: toIso(expiresAt),
  };
}

export interface ChosenForStored extends ChosenEnd {
  filename: string;
  guards: ProtectionAtStart;
  notify?: DownloadNotice | undefined;
}

/**
 * Makes an upload of bytes that are in storage. @returns its row as it was opened, and when its link ends, in epoch
 * milliseconds @throws AppError PLAN_LIMIT_EXCEEDED, KEY_LIMIT, STORAGE_UNAVAILABLE, BAD_REQUEST for a wrong end
 */
export async function completeStored(
  services: Services,
  caller: Caller,
  stored: StoredFormFile,
  chosen: ChosenForStored,
): Promise<{ file: NewFile; expiresAt: number | null }> {
  const now = Date.now();
  const lifetime = readLifetime(chosen, stored.sizeBytes, now);
  checkPlan(caller, lifetime);
  const { file } = await openUpload(services, caller, {
    ...chosen,
    fileType: stored.contentType,
    lifetime,
    partSizeBytes: stored.r2UploadId === null ? null : SERVER_PART_BYTES,
    chunkSizeBytes: null,
    stored,
    now,
  });
  const checksum: Checksum = { sha256: stored.sha256, source: "server" };
  const result = await sessionOf(services, file).complete(stored.receipts, checksum);
  if (!result.ok) throw toAppError(result);
  return { file, expiresAt: result.expiresAt };
}

/** Deletes a stored file unless it has become an upload, whose session finishes or discards it. */
export async function discardFormFile({ bucket, db }: Services, stored: StoredFormFile): Promise<void> {
  const file = await findFileById(db, stored.id);
  if (file?.status === "uploading" || file?.status === "ready") return;
  await deleteStored(bucket, stored.id, stored.r2UploadId);
}

async function deleteStored(bucket: R2Bucket, id: string, r2UploadId: string | null): Promise<void> {
  if (r2UploadId === null) await deleteObjects(bucket, [incomingKey(id)]);
  else await abortMultipart(bucket, objectKey(id), r2UploadId);
}
