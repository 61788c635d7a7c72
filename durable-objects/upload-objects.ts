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

export type Assembly =
  | { kind: "assembled"; object: StoredObject; sha256: string | null }
  /** No bytes have arrived: the sender may try again. */
  | { kind: "absent" }
  /** R2 lacks a part that has a receipt: the sender has to send all parts again. */
  | { kind: "invalid-parts" }
  /** The object has another size than announced, its parts cannot be joined, or R2 has lost it. */
  | { kind: "mismatch" };

/** Only R2's answers count (decision 015). Idempotent. @throws when R2 does not answer */
export async function assembleObject(
  bucket: R2Bucket,
  record: UploadRecord,
  receipts: PartReceipt[],
): Promise<Assembly> {
  const assembly =
    record.r2UploadId === null
      ? await promoteSinglePut(bucket, record)
      : await joinParts(bucket, record.plan.fileId, record.r2UploadId, receipts);
  if (assembly.kind !== "assembled" || assembly.object.sizeBytes === record.plan.lifetime.sizeBytes) return assembly;
  return { kind: "mismatch" };
}

async function joinParts(
  bucket: R2Bucket,
  fileId: string,
  r2UploadId: string,
  receipts: PartReceipt[],
): Promise<Assembly> {
  try {
    const object = await completeMultipart(bucket, objectKey(fileId), r2UploadId, receipts);
    return object ? { kind: "assembled", object, sha256: null } : { kind: "mismatch" };
  } catch (error) {
    if (error instanceof InvalidPartError) return { kind: "invalid-parts" };
    throw error;
  }
}

async function promoteSinglePut(bucket: R2Bucket, { plan }: UploadRecord): Promise<Assembly> {
  const incoming = await openIncoming(bucket, plan.fileId);
  if (incoming && incoming.size !== plan.lifetime.sizeBytes) {
    await incoming.body.cancel();
    return { kind: "mismatch" };
  }
  const promoted = incoming
    ? await promoteIncoming(bucket, plan.fileId, incoming, plan.contentType)
    : await findPromoted(bucket, plan.fileId);
  return promoted ? { kind: "assembled", ...promoted } : { kind: "absent" };
}

export async function discardParts(bucket: R2Bucket, { plan, r2UploadId }: UploadRecord): Promise<void> {
  if (r2UploadId !== null) await abortMultipart(bucket, objectKey(plan.fileId), r2UploadId);
}

/** Idempotent. */
export async function deleteUpload(bucket: R2Bucket, { plan }: UploadRecord): Promise<void> {
  const { fileId, partSizeBytes } = plan;
  const keys = partSizeBytes === null ? [objectKey(fileId), incomingKey(fileId)] : [objectKey(fileId)];
  await deleteObjects(bucket, keys);
}
