import { incomingKey, objectKey } from "#worker/storage/keys.ts";
import {
  abortMultipart,
  promoteIncoming,
  completeMultipart,
  deleteObjects,
  findPromoted,
  InvalidPartError,
  openIncoming,
  type PartReceipt,
  type StoredObject,
} from "#worker/storage/objects.ts";
import type { UploadRecord } from "./upload-state.ts";

/** What storage makes of an upload that its sender calls complete. */
export type Assembly =
  | { kind: "whole"; object: StoredObject; sha256: string | null }
  /** Nothing has arrived: the sender may try again. */
  | { kind: "absent" }
  /** The store lacks some part a receipt was given for: all of them have to be sent again. */
  | { kind: "parts-unknown" }
  /** What arrived is not what was announced, or storage dropped it. */
  | { kind: "lost" };

/**
 * Makes the upload's object out of what arrived, believing only the store. Safe to repeat from any point.
 * @throws what the store throws when it does not answer
 */
export async function assembleObject(
  bucket: R2Bucket,
  record: UploadRecord,
  receipts: PartReceipt[],
): Promise<Assembly> {
  const assembly = record.r2UploadId === null ? await adopt(bucket, record) : await join(bucket, record, receipts);
  if (assembly.kind !== "whole" || assembly.object.sizeBytes === record.plan.lifetime.sizeBytes) return assembly;
  return { kind: "lost" };
}

async function join(bucket: R2Bucket, record: UploadRecord, receipts: PartReceipt[]): Promise<Assembly> {
  try {
    const object = await completeMultipart(bucket, record.plan.fileId, record.r2UploadId ?? "", receipts);
    return object ? { kind: "whole", object, sha256: null } : { kind: "lost" };
  } catch (error) {
    if (error instanceof InvalidPartError) return { kind: "parts-unknown" };
    throw error;
  }
}

async function adopt(bucket: R2Bucket, { plan }: UploadRecord): Promise<Assembly> {
  const incoming = await openIncoming(bucket, plan.fileId);
  if (incoming && incoming.size !== plan.lifetime.sizeBytes) {
    await incoming.body.cancel();
    return { kind: "lost" };
  }
  const adopted = incoming
    ? await promoteIncoming(bucket, plan.fileId, incoming, plan.contentType)
    : await findPromoted(bucket, plan.fileId);
  return adopted ? { kind: "whole", ...adopted } : { kind: "absent" };
}

/** Removes the parts of an upload that were not put together. Safe to repeat. */
export async function discardParts(bucket: R2Bucket, { plan, r2UploadId }: UploadRecord): Promise<void> {
  if (r2UploadId !== null) await abortMultipart(bucket, plan.fileId, r2UploadId);
}

/** Removes everything an upload that ended without a file may have left in storage. Safe to repeat. */
export async function discardUpload(bucket: R2Bucket, record: UploadRecord): Promise<void> {
  const { fileId, partSizeBytes } = record.plan;
  await discardParts(bucket, record);
  const keys = partSizeBytes === null ? [objectKey(fileId), incomingKey(fileId)] : [objectKey(fileId)];
  await deleteObjects(bucket, keys);
}
