import { createHash } from "node:crypto";
import { AppError } from "#domain/errors.ts";
import type { Expiration } from "#domain/expiry.ts";
import { mimeTypeOf } from "#domain/mime.ts";
import { MAX_REQUEST_BYTES, PROXIED_PART_BYTES } from "#domain/parts.ts";
import type { ProxyUploadAnswer, Receipt } from "#domain/wire.ts";
import type { Checksum } from "#domain/checksum.ts";
import type { Services } from "../services.ts";
import { findFileById } from "../db/files.ts";
import type { NewFile } from "../db/uploads.ts";
import { contentUrl, toIso } from "../links.ts";
import { incomingKey } from "../storage/keys.ts";
import { abortMultipart, createMultipart, deleteObjects, putIncoming, putPart } from "../storage/objects.ts";
import { checkPlan } from "./check-plan.ts";
import type { FormFile } from "./proxy-form.ts";
import { refusal, sessionOf } from "./sessions.ts";
import { openUpload } from "./start.ts";
import type { Uploader } from "./uploader.ts";

/** A form's file as it went into storage, before anything is known of it but its bytes. */
export interface StoredForm {
  id: string;
  /** Null for an empty file, which has no parts: it lies where a small file's PUT would have put it. */
  r2UploadId: string | null;
  sizeBytes: number;
  sha256: string;
  receipts: Receipt[];
  filename: string;
  contentType: string;
}

/**
 * Streams a form's file into storage. Its length is unknown until its end, so it goes as a multipart upload over one
 * buffer of a part's size, which is all that is ever held. An empty file is put there whole: S3 completes no multipart
 * upload without a part.
 * @throws AppError BODY_TOO_LARGE; nothing stays in storage
 */
export async function storeFormFile({ bucket }: Services, file: FormFile): Promise<StoredForm> {
  const id = crypto.randomUUID();
  const mimeType = mimeTypeOf(file.filename, file.contentType);
  let r2UploadId: string | null = null;
  const hash = createHash("sha256");
  const buffer = new Uint8Array(PROXIED_PART_BYTES);
  const receipts: Receipt[] = [];
  let filled = 0;
  let sizeBytes = 0;
  const flush = async () => {
    r2UploadId ??= await createMultipart(bucket, id, mimeType);
    const part = receipts.length + 1;
    receipts.push({ part, etag: await putPart(bucket, id, r2UploadId, part, buffer.subarray(0, filled)) });
    filled = 0;
  };
  try {
    for await (const chunk of file.stream) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > MAX_REQUEST_BYTES) throw new AppError("BODY_TOO_LARGE");
      hash.update(chunk);
      for (let offset = 0; offset < chunk.byteLength;) {
        const taken = Math.min(buffer.byteLength - filled, chunk.byteLength - offset);
        buffer.set(chunk.subarray(offset, offset + taken), filled);
        filled += taken;
        offset += taken;
        if (filled === buffer.byteLength) await flush();
      }
    }
    if (filled > 0) await flush();
    if (sizeBytes === 0) await putIncoming(bucket, id, "", mimeType);
  } catch (error) {
    await discardStored(bucket, id, r2UploadId);
    throw error;
  }
  const { filename, contentType } = file;
  return { id, r2UploadId, sizeBytes, sha256: hash.digest("hex"), receipts, filename, contentType };
}

/**
 * Turns a form's stored file into an upload and completes it, as every other road does.
 * @param readFields gives the form's fields, or throws what is wrong with them
 * @throws AppError PLAN_LIMIT_EXCEEDED, STORAGE_UNAVAILABLE
 */
export async function adoptForm(
  services: Services,
  uploader: Uploader,
  stored: StoredForm,
  readFields: () => { filename: string; expiration: Expiration },
): Promise<ProxyUploadAnswer> {
  const file = await openForm(services, uploader, stored, readFields);
  const checksum: Checksum = { sha256: stored.sha256, source: "server" };
  const result = await sessionOf(services, file.id).complete(stored.receipts, checksum);
  if (!result.ok) throw refusal(result);
  return {
    downloadId: file.downloadId,
    originalName: file.filename,
    downloadUrl: contentUrl(services.settings, file.downloadId),
    expiresAt: toIso(result.expiresAt),
  };
}

async function openForm(
  services: Services,
  uploader: Uploader,
  stored: StoredForm,
  readFields: () => { filename: string; expiration: Expiration },
): Promise<NewFile> {
  const { filename, expiration } = readFields();
  const lifetime = { expiration, expirationChosen: false, sizeBytes: stored.sizeBytes };
  checkPlan(uploader, lifetime);
  const { file } = await openUpload(services, uploader, {
    filename,
    mimeType: mimeTypeOf(filename, stored.contentType),
    lifetime,
    partSizeBytes: stored.r2UploadId === null ? null : PROXIED_PART_BYTES,
    chunkSizeBytes: null,
    adopted: { id: stored.id, r2UploadId: stored.r2UploadId },
    now: Date.now(),
  });
  return file;
}

/** Discards a form's file, unless it has become an upload: then it is the upload's own to finish or to end. */
export async function discardForm({ bucket, db }: Services, stored: StoredForm): Promise<void> {
  const file = await findFileById(db, stored.id);
  if (file?.status === "uploading" || file?.status === "ready") return;
  await discardStored(bucket, stored.id, stored.r2UploadId);
}

async function discardStored(bucket: R2Bucket, id: string, r2UploadId: string | null): Promise<void> {
  if (r2UploadId === null) await deleteObjects(bucket, [incomingKey(id)]);
  else await abortMultipart(bucket, id, r2UploadId);
}
