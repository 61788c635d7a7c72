import { AppError } from "#domain/errors.ts";
import { partLength, type PartPlan } from "#domain/parts.ts";
import type { CompletedPart, ProxiedPart, SignPartsAnswer } from "#domain/wire.ts";
import {
  getOwnFile,
  requireSingleFile,
  requireUnfinished,
  sessionOf,
  toAppError,
  type CallerLookup,
} from "../callers/sessions.ts";
import type { Services } from "../services.ts";
import { incomingKey, objectKey } from "../storage/keys.ts";
import { putIncoming, putPart, UploadGoneError } from "../storage/objects.ts";

/**
 * Presigns at most a hundred parts.
 * @throws AppError FILE_NOT_FOUND, UPLOAD_CLOSED, UPLOAD_FINISHED, or BAD_REQUEST for a part that is not in the plan
 */
export async function signParts(
  services: Services,
  caller: CallerLookup,
  request: { downloadId: string; parts: number[]; receipts: CompletedPart[] },
): Promise<SignPartsAnswer> {
  const file = requireUnfinished(requireSingleFile(await getOwnFile(services, caller, request.downloadId)));
  const session = await sessionOf(services, file).storeReceipts(request.receipts);
  if (!session.ok) throw toAppError(session);
  const { parts, r2UploadId, received } = session;
  for (const part of [...request.parts, ...request.receipts.map((receipt) => receipt.part)]) requirePart(parts, part);
  const { id, mimeType, size: sizeBytes } = file;
  const sign = (part: number) => signPart(services, { id, mimeType, sizeBytes }, r2UploadId, parts, part);
  const urls = await Promise.all(request.parts.map(async (part) => ({ part, url: await sign(part) })));
  return { urls, received };
}

/**
 * For browsers that cannot reach storage. The returned part is already noted as completed. That of a sealed upload is not: its
 * sender adds the mark. @param crc32 the sender's @param length Content-Length
 * @throws AppError FILE_NOT_FOUND, UPLOAD_CLOSED, UPLOAD_FINISHED, LENGTH_REQUIRED, BAD_REQUEST, BODY_TOO_LARGE
 */
export async function proxyPart(
  services: Services,
  caller: CallerLookup,
  {
    downloadId,
    part,
    crc32,
    length,
    body,
  }: { downloadId: string; part: number; length: number | null; body: ReadableStream } & Pick<CompletedPart, "crc32">,
): Promise<ProxiedPart> {
  const file = requireUnfinished(requireSingleFile(await getOwnFile(services, caller, downloadId)));
  if (length === null) throw new AppError("LENGTH_REQUIRED");
  const session = sessionOf(services, file);
  const prepared = await session.storeReceipts([]);
  if (!prepared.ok) throw toAppError(prepared);
  const { parts, r2UploadId } = prepared;
  requirePart(parts, part);
  requireLength(part, length, partLength(file.size, part, parts.partSizeBytes));
  const name = { downloadId, originalName: file.originalFilename };
  // If the body breaks off, the put fails and R2 stores nothing of it.
  if (r2UploadId === null) {
    return { part, etag: await putIncoming(services.bucket, file.id, body, file.mimeType), ...name };
  }
  const receipt = { part, etag: await closedIfGone(putPart(services.bucket, file.s3Key, r2UploadId, part, body)) };
  if (file.seal !== null) return { ...receipt, ...name };
  const recorded = await session.storeReceipts([{ ...receipt, crc32 }]);
  if (!recorded.ok) throw toAppError(recorded);
  return { ...receipt, ...name };
}

async function closedIfGone(put: Promise<string>): Promise<string> {
  try {
    return await put;
  } catch (error) {
    if (error instanceof UploadGoneError) throw new AppError("UPLOAD_CLOSED");
    throw error;
  }
}

function requirePart({ partCount }: PartPlan, part: number): void {
  if (part >= 1 && part <= partCount) return;
  throw new AppError("BAD_REQUEST", { message: `There is no part ${part}: this file has ${partCount} parts.` });
}

function requireLength(part: number, length: number, expected: number): void {
  if (length > expected) throw new AppError("BODY_TOO_LARGE", { message: `Part ${part} holds ${expected} bytes.` });
  if (length < expected) throw new AppError("BAD_REQUEST", { message: `Part ${part} has to hold ${expected} bytes.` });
}

/** Signs a part, or with `r2UploadId` null a single PUT. */
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
