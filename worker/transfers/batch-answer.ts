import { partLength } from "#domain/parts.ts";
import type { SignedObjectPart, TransferBatchAnswer } from "#domain/wire.ts";
import type { BatchResult, PartsToSign } from "#durable-objects/transfer/results.ts";
import type { Services } from "../services.ts";
import { transferObjectKey } from "../storage/keys.ts";

/** A successful batch with its signed URLs. */
export async function answerBatch(
  services: Services,
  fileId: string,
  { state, opened, toSign }: Extract<BatchResult, { ok: true }>,
): Promise<TransferBatchAnswer> {
  const { entries, stored, received, again } = state;
  const urls = await Promise.all(toSign.map((parts) => signParts(services, fileId, parts)));
  return { entries, opened, urls: urls.flat(), stored, received, again };
}

function signParts(
  { signer }: Services,
  fileId: string,
  { object, r2UploadId, sizeBytes, partSizeBytes, parts }: PartsToSign,
): Promise<SignedObjectPart[]> {
  const key = transferObjectKey(fileId, object);
  return Promise.all(
    parts.map(async (part) => {
      const url = await signer.partUrl(key, r2UploadId, part, partLength(sizeBytes, part, partSizeBytes));
      return { object, part, url };
    }),
  );
}
