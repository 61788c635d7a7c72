import { crc32 } from "node:zlib";
import { mimeTypeOf } from "#domain/mime.ts";
import { partRange } from "#domain/parts.ts";
import { issueDeletion } from "#domain/protection/tokens.ts";
import { MAX_OPENED_PER_BATCH, MAX_PACK_OBJECT_BYTES } from "#domain/transfers/limits.ts";
import { portableNames } from "#domain/transfers/portable-paths.ts";
import {
  startTransferRequest,
  transferBatchRequest,
  type SendChoices,
  type TransferBatchAnswer,
  type CompletedObjectPart,
  chosenExpiration,
  type CompleteUploadAnswer,
  type ProtectionAtStart,
} from "#domain/wire.ts";
import type { Caller } from "../callers/caller.ts";
import { toTransferError, transferSessionOf } from "../callers/sessions.ts";
import { REQUEST_WAIT_MS, withMemory } from "../memory.ts";
import type { Services } from "../services.ts";
import { incomingKey } from "../storage/keys.ts";
import { putPart, readRange } from "../storage/objects.ts";
import { finishTransfer, sendBatch } from "../transfers/continue-transfer.ts";
import { startTransfer } from "../transfers/start-transfer.ts";
import { cancelUpload } from "../uploads/direct-upload.ts";
import { type StoredFormFile, type ChosenForStored, completeStored } from "../uploads/proxy.ts";
import { contentUrl, deletionUrl, shareUrl, toIso } from "../urls.ts";

/** The most files of a form: each file is an object of its own, and one batch opens all objects. */
export const MAX_FORM_FILES = MAX_OPENED_PER_BATCH;

/**
 * Makes a transfer of several files, and copies the files into it. Makes names portable as a browser does, and numbers
 * equal names.
 * @param files the stored files under `incoming/`
 * @param now epoch milliseconds
 * @throws AppError PLAN_LIMIT_EXCEEDED, KEY_LIMIT; on an error, nothing is stored
 */
export async function sendTransfer(
  services: Services,
  caller: Caller,
  files: StoredFormFile[],
  choices: SendChoices,
  now: number,
): Promise<SentUpload> {
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
  const { uploadId: id } = await startTransfer(services, caller, request, Promise.resolve(), now);
  try {
    await fill(services, caller, id, files);
    return await finishTransfer(services, caller, id, { receipts: [] });
  } catch (error) {
    await cancelUpload(services, caller, id).catch(() => undefined);
    throw error;
  }
}

/** Copies files into a transfer: object n is file n. Empty files have no object. */
async function fill(services: Services, caller: Caller, id: string, files: StoredFormFile[]): Promise<void> {
  const batch = (changes: object) => sendBatch(services, caller, id, transferBatchRequest.parse(changes));
  const open = files.flatMap(({ sizeBytes }, n) => (sizeBytes > 0 ? [{ object: n, runs: [[n, 1]] }] : []));
  const { opened } = await batch({ open });
  const receipts: CompletedObjectPart[] = [];
  for (const object of opened) {
    const file = files[object.object];
    if (file) receipts.push(...(await copy(services, id, object, file)));
  }
  // The server itself hashes objects of up to `MAX_PACK_OBJECT_BYTES` when it joins them.
  const sums = files.flatMap(({ sizeBytes, sha256 }, n) => (sizeBytes > MAX_PACK_OBJECT_BYTES ? [{ n, sha256 }] : []));
  await batch({ receipts, sums });
}

async function copy(
  services: Services,
  id: string,
  { object, partSizeBytes, partCount }: TransferBatchAnswer["opened"][number],
  file: StoredFormFile,
): Promise<CompletedObjectPart[]> {
  const { bucket } = services;
  const session = transferSessionOf(services, { id, entryCount: 1 });
  const receipts: CompletedObjectPart[] = [];
  for (let part = 1; part <= partCount; part += 1) {
    const target = await session.partTarget(object, part);
    if (!target.ok) throw toTransferError(target);
    const { upload } = target;
    if (!upload) throw new Error(`part ${part} of object ${object} was sent before`);
    const { start, end } = partRange(file.sizeBytes, part, partSizeBytes);
    const receipt = await withMemory(end - start, REQUEST_WAIT_MS, async () => {
      const bytes = await readRange(bucket, incomingKey(file.id), start, end - start);
      const etag = await putPart(bucket, upload.key, upload.r2UploadId, part - upload.firstPart + 1, bytes);
      return { object, part, etag, crc32: crc32(bytes).toString(16).padStart(8, "0") };
    });
    receipts.push(receipt);
  }
  return receipts;
}

/** The answer to a sent upload. Only a transfer has `zipSize` and `entries`. */
export type SentUpload = CompleteUploadAnswer & { zipSize?: number; entries?: number };

/** The choices of a send request for its link, under the names that uploads use. */
export function chosenOf(choices: SendChoices): Omit<ChosenForStored, "filename"> {
  const expiration = chosenExpiration(choices) ?? undefined;
  return {
    expiration,
    expirationChosen: expiration !== undefined,
    expiresAt: choices.expiresAt,
    guards: guardsOf(choices),
    notify: choices.notify,
  };
}

function guardsOf({ password, downloads, "max-downloads": max }: SendChoices): ProtectionAtStart {
  return { password, maxDownloads: downloads ?? max };
}

/** Makes a link of one file. @throws as `completeStored` */
export async function sendStored(
  services: Services,
  caller: Caller,
  stored: StoredFormFile,
  filename: string,
  choices: SendChoices,
): Promise<SentUpload> {
  const { file, expiresAt } = await completeStored(services, caller, stored, { filename, ...chosenOf(choices) });
  return {
    id: file.id,
    downloadId: file.downloadId,
    shareUrl: shareUrl(services.settings, file.downloadId),
    downloadUrl: contentUrl(services.settings, file.downloadId),
    filename: file.filename,
    size: stored.sizeBytes,
    expiresAt: toIso(expiresAt),
  };
}

/** A URL that deletes the sent upload. The URL is a secret. */
export async function deletionUrlOf({ settings, linkTokenKeys }: Services, { id }: SentUpload): Promise<string> {
  return deletionUrl(settings, id, await issueDeletion(await linkTokenKeys(), id));
}
