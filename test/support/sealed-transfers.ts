import type { Bytes } from "#domain/seal/keys.ts";
import { planParts } from "#domain/parts.ts";
import type { StartTransferAnswer, CompletedObjectPart } from "#domain/wire.ts";
import {
  manifestOf,
  markOfBytes,
  newSeal,
  requireOk,
  sealAtStart,
  sealedBytes,
  putManifest,
} from "./sealed-uploads.ts";
import type { PlainFile, Sealer } from "./sealed-uploads.ts";
import { finish, join, putObject, startTransfer, type TransferFile } from "./transfers.ts";
import type { Client } from "./worker.ts";

/** Streams as the server is told of them. */
async function sealedEntries(sealer: Sealer, files: PlainFile[]): Promise<TransferFile[]> {
  return Promise.all(
    files.map(async ({ bytes }, n) => ({
      path: `sealed-0000${n}`,
      bytes: await sealedBytes(sealer, bytes, n),
      modifiedMs: 0,
    })),
  );
}

/** Receipts of one object with the marks of its entries. @param numbers of the entries that the object holds */
export async function markReceipts(
  sealer: Sealer,
  receipts: CompletedObjectPart[],
  numbers: number[],
  entries: readonly { bytes: Bytes }[],
): Promise<CompletedObjectPart[]> {
  return Promise.all(
    receipts.map(async (receipt) => ({
      ...receipt,
      marks: await Promise.all(
        numbers.map(async (n) => {
          const bytes = entries[n]?.bytes ?? new Uint8Array();
          const { partSizeBytes } = planParts(bytes.length);
          const start = (receipt.part - 1) * partSizeBytes;
          const records = bytes.subarray(start, start + partSizeBytes);
          return { n, mark: await markOfBytes(sealer, n, receipt.part, records) };
        }),
      ),
    })),
  );
}

export interface StartedTransfer extends Omit<StartTransferAnswer, "entries"> {
  sealer: Sealer;
  entries: TransferFile[];
  /** The start's body, to resume with. */
  request: Record<string, unknown>;
}

/** Starts a transfer whose entries are in one pack. */
export async function startSealed(
  owner: Client,
  files: PlainFile[],
  { isLocked = false, ...more }: { isLocked?: boolean; [field: string]: unknown } = {},
): Promise<StartedTransfer> {
  const sealer = await newSeal(isLocked);
  const entries = await sealedEntries(sealer, files);
  const seal = await sealAtStart(sealer, manifestOf(files, false));
  const request = { seal, open: [{ object: 0, runs: [[0, entries.length]] }], ...more };
  return { ...(await startTransfer(owner, entries, request)), sealer, entries, request };
}

/** Sends a pack and finishes. */
export async function sendSealedTransfer(
  owner: Client,
  files: PlainFile[],
  more: Parameters<typeof startSealed>[2] = {},
): Promise<StartedTransfer> {
  const started = await startSealed(owner, files, more);
  const { sealer, entries, uploadId, downloadId } = started;
  const receipts = await putObject(started, 0, join(entries.map(({ bytes }) => bytes)));
  await requireOk(putManifest(owner, uploadId, sealer, 1, manifestOf(files, true, { title: "Our secret trip" })));
  const numbers = entries.map((_, n) => n);
  await requireOk(finish(owner, downloadId, await markReceipts(sealer, receipts, numbers, entries)));
  return started;
}
