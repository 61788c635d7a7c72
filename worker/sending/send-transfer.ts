import { crc32 } from "node:zlib";
import { mimeTypeOf } from "#domain/mime.ts";
import { partRange } from "#domain/parts.ts";
import { portableNames } from "#domain/transfers/portable-paths.ts";
import { MAX_OPENED_PER_BATCH, MAX_PACK_OBJECT_BYTES } from "#domain/transfers/limits.ts";
import {
  startTransferRequest,
  transferBatchRequest,
  type SendChoices,
  type TransferBatchAnswer,
  type TransferReceipt,
} from "#domain/wire.ts";
import type { Services } from "../services.ts";
import { incomingKey, transferObjectKey } from "../storage/keys.ts";
import { putPart, readRange } from "../storage/objects.ts";
import { finishTransfer, sendBatch } from "../transfers/continue-transfer.ts";
import { startTransfer } from "../transfers/start-transfer.ts";
import { toTransferError } from "../transfers/transfer-errors.ts";
import { cancelUpload } from "../uploads/complete-upload.ts";
import type { StoredFormFile } from "../uploads/proxy.ts";
import { transferSessionOf } from "../callers/sessions.ts";
import type { Uploader } from "../callers/uploader.ts";
import { chosenOf, type Sent } from "./sent.ts";

/** Each file is an object of its own, and one batch opens them all. */
export const MAX_FORM_FILES = MAX_OPENED_PER_BATCH;

/**
 * Makes one link of several files, and copies them into it. Names are made portable like in a browser, and numbered where
 * they are equal. @param files under `incoming/` @param now epoch milliseconds
 * @throws AppError PLAN_LIMIT_EXCEEDED, KEY_LIMIT; nothing stays
 */
export async function sendTransfer(
  services: Services,
  uploader: Uploader,
  files: StoredFormFile[],
  choices: SendChoices,
  now: number,
): Promise<Sent> {
  const names = portableNames(files.map(({ filename }) => filename));
  const request = startTransferRequest.parse({
    ...chosenOf(choices),
    title: choices.name,
    totals: { entries: files.length, bytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) },
    entries: {
      from: 0,
      list: files.map(({ filename, contentType, sizeBytes }, n) => [
        names[n],
        sizeBytes,
        now,
        mimeTypeOf(filename, contentType),
      ]),
    },
  });
  const { uploadId: id } = await startTransfer(services, uploader, request, Promise.resolve(), now);
  try {
    await fill(services, uploader, id, files);
    return await finishTransfer(services, uploader, id, { receipts: [] });
  } catch (error) {
    await cancelUpload(services, uploader, id).catch(() => undefined);
    throw error;
  }
}

/** Object n is file n. Empty files have none. */
async function fill(services: Services, uploader: Uploader, id: string, files: StoredFormFile[]): Promise<void> {
  const batch = (changes: object) => sendBatch(services, uploader, id, transferBatchRequest.parse(changes));
  const open = files.flatMap(({ sizeBytes }, n) => (sizeBytes > 0 ? [{ object: n, runs: [[n, 1]] }] : []));
  const { opened } = await batch({ open });
  const receipts: TransferReceipt[] = [];
  for (const object of opened) {
    const file = files[object.object];
    if (file) receipts.push(...(await copy(services, id, object, file)));
  }
  // The server hashes small objects itself when it joins them.
  const sums = files.flatMap(({ sizeBytes, sha256 }, n) => (sizeBytes > MAX_PACK_OBJECT_BYTES ? [{ n, sha256 }] : []));
  await batch({ receipts, sums });
}

async function copy(
  services: Services,
  id: string,
  { object, partSizeBytes, partCount }: TransferBatchAnswer["opened"][number],
  file: StoredFormFile,
): Promise<TransferReceipt[]> {
  const { bucket } = services;
  const target = await transferSessionOf(services, { id, entryCount: 1 }).partTarget(object, 1);
  if (!target.ok) throw toTransferError(target);
  const receipts: TransferReceipt[] = [];
  for (let part = 1; part <= partCount; part += 1) {
    const { start, end } = partRange(file.sizeBytes, part, partSizeBytes);
    const bytes = await readRange(bucket, incomingKey(file.id), start, end - start);
    const etag = await putPart(bucket, transferObjectKey(id, object), target.r2UploadId, part, bytes);
    receipts.push({ object, part, etag, crc32: crc32(bytes).toString(16).padStart(8, "0") });
  }
  return receipts;
}
