import { partLength } from "#domain/parts.ts";
import type { PartPlan } from "#domain/parts.ts";
import type { Services } from "../services.ts";
import { incomingKey, objectKey } from "../storage/keys.ts";

/** `r2UploadId` null: the whole of a single PUT. */
export function signPart(
  { signer }: Services,
  file: { id: string; mimeType: string; sizeBytes: number },
  r2UploadId: string | null,
  { partSizeBytes }: PartPlan,
  part: number,
): Promise<string> {
  if (r2UploadId === null) {
    return signer.putUrl(incomingKey(file.id), { contentType: file.mimeType, contentLength: file.sizeBytes });
  }
  return signer.partUrl(objectKey(file.id), r2UploadId, part, partLength(file.sizeBytes, part, partSizeBytes));
}
