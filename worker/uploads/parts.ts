import { AppError } from "#domain/errors.ts";
import { partLength, planParts } from "#domain/parts.ts";
import type { Receipt, ProxiedPart, SignPartsAnswer } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import type { FileRow } from "../db/files.ts";
import { putIncoming, putPart, UploadGoneError } from "../storage/objects.ts";
import { getOwnFile, refusal, requireUnfinished, sessionOf, type Asker } from "./sessions.ts";
import { signPart } from "./start.ts";

/**
 * Signs part URLs, at most a hundred, and takes receipts on the way.
 * @throws AppError FILE_NOT_FOUND, UPLOAD_CLOSED, UPLOAD_FINISHED, or BAD_REQUEST for a part that is not in the plan
 */
export async function signParts(
  services: Services,
  uploader: Asker,
  request: { downloadId: string; parts: number[]; receipts: Receipt[] },
): Promise<SignPartsAnswer> {
  const file = requireUnfinished(await getOwnFile(services, uploader, request.downloadId));
  for (const part of [...request.parts, ...request.receipts.map((receipt) => receipt.part)]) requirePart(file, part);
  const session = await sessionOf(services, file.id).prepareSigning(request.receipts);
  if (!session.ok) throw refusal(session);
  const sign = (part: number) => signPart(services, file, file.size, session.r2UploadId, part);
  const urls = await Promise.all(request.parts.map(async (part) => ({ part, url: await sign(part) })));
  return { urls, received: session.received };
}

/**
 * Takes one part, or a small file whole, through our own server: the road for browsers that cannot reach storage. The
 * body streams into storage and is never held.
 * @param length the request's Content-Length
 * @returns the part's ETag, whose receipt is stored already, and the file it belongs to
 * @throws AppError FILE_NOT_FOUND, UPLOAD_CLOSED, UPLOAD_FINISHED, LENGTH_REQUIRED, BAD_REQUEST, BODY_TOO_LARGE
 */
export async function proxyPart(
  services: Services,
  uploader: Asker,
  { downloadId, part, length, body }: { downloadId: string; part: number; length: number | null; body: ReadableStream },
): Promise<ProxiedPart> {
  const file = requireUnfinished(await getOwnFile(services, uploader, downloadId));
  const named = { downloadId, originalName: file.originalFilename };
  requirePart(file, part);
  const expected = partLength(file.size, part);
  if (length === null) throw new AppError("LENGTH_REQUIRED");
  if (length > expected) throw new AppError("BODY_TOO_LARGE", { message: `Part ${part} holds ${expected} bytes.` });
  if (length < expected) throw new AppError("BAD_REQUEST", { message: `Part ${part} has to hold ${expected} bytes.` });
  const session = sessionOf(services, file.id);
  const prepared = await session.prepareSigning([]);
  if (!prepared.ok) throw refusal(prepared);
  const { r2UploadId } = prepared;
  // A body that breaks off makes the put fail: storage keeps nothing of it.
  if (r2UploadId === null) {
    return { part, etag: await putIncoming(services.bucket, file.id, body, file.mimeType), ...named };
  }
  const receipt = { part, etag: await relayed(putPart(services.bucket, file.id, r2UploadId, part, body)) };
  const noted = await session.prepareSigning([receipt]);
  if (!noted.ok) throw refusal(noted);
  return { ...receipt, ...named };
}

async function relayed(put: Promise<string>): Promise<string> {
  try {
    return await put;
  } catch (error) {
    if (error instanceof UploadGoneError) throw new AppError("UPLOAD_CLOSED");
    throw error;
  }
}

function requirePart(file: FileRow, part: number): void {
  const { partCount } = planParts(file.size);
  if (part >= 1 && part <= partCount) return;
  throw new AppError("BAD_REQUEST", { message: `There is no part ${part}: this file has ${partCount} parts.` });
}
