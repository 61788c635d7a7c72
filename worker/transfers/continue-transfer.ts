import { AppError } from "#domain/errors.ts";
import { archiveName } from "#domain/file-names.ts";
import { limitFor } from "#domain/plans.ts";
import { closedCode } from "#domain/upload-lifetime.ts";
import type {
  FinishTransferAnswer,
  ProxiedObjectPart,
  TransferBatch,
  TransferBatchAnswer,
  CompletedObjectPart,
  UploadSummary,
} from "#domain/wire.ts";
import type { Caller } from "../callers/caller.ts";
import { checkTransferPlan, checkVisitorTotals, growthExceeded } from "../callers/check-plan.ts";
import { checkKinds, requestRefusal } from "../callers/request-bounds.ts";
import {
  getOwnFile,
  requireTransfer,
  requireUnfinished,
  transferSessionOf,
  type CallerLookup,
  toTransferError,
} from "../callers/sessions.ts";
import { findBilling } from "../db/billing.ts";
import { findFileById, type FileRow } from "../db/files.ts";
import { growUpload } from "../db/growth.ts";
import { findEndCode } from "../db/upload-audit.ts";
import { tellOfReceived } from "../feed/tell.ts";
import type { Services } from "../services.ts";
import { putPart, UploadGoneError } from "../storage/objects.ts";
import { requireFinalManifest } from "../uploads/manifest.ts";
import { requireKeyRoom } from "../uploads/open-upload.ts";
import { keepSummary } from "../uploads/upload-log.ts";
import { archiveUrl, shareUrl, toIso } from "../urls.ts";
import { answerBatch, largestOf } from "./start-transfer.ts";

/**
 * Sends a batch to the transfer's session. Idempotent.
 * @throws AppError FILE_NOT_FOUND, PLAN_LIMIT_EXCEEDED, KEY_LIMIT, KEY_INVALID, and the session's errors
 */
export async function sendBatch(
  services: Services,
  lookup: CallerLookup,
  downloadId: string,
  batch: TransferBatch,
): Promise<TransferBatchAnswer> {
  const [caller, file] = await Promise.all([lookup, getOwnFile(services, lookup, downloadId)]);
  requireUnfinished(requireTransfer(file));
  const entries = batch.totals?.entries ?? file.entryCount ?? 0;
  checkTransferPlan(caller, file.expiration, entries, largestOf(batch, file.seal !== null), true);
  checkKinds(services, caller, batch);
  const session = transferSessionOf(services, file);
  if (batch.totals) await reserveGrowth(services, caller, file, batch.totals);
  const result = await session.batch(batch);
  if (!result.ok) throw toTransferError(result);
  return answerBatch(services, result);
}

/**
 * Reserves the bytes and entries by which new totals exceed the announced totals. Totals that are not larger change
 * nothing.
 */
async function reserveGrowth(
  services: Services,
  caller: Caller,
  file: FileRow,
  totals: { entries: number; bytes: number },
): Promise<void> {
  if (totals.bytes <= file.size && totals.entries <= (file.entryCount ?? 0)) return;
  checkVisitorTotals(caller, totals.bytes);
  const { db } = services;
  const now = Date.now();
  const outcome = await growUpload(db, file.id, totals, limitFor(caller.plan), now);
  if (outcome === "grown") return;
  if (outcome === "full" && caller.kind === "sender") {
    throw await requestRefusal(services, caller.request, totals.bytes - file.size, now);
  }
  if (outcome === "full") await requireKeyRoom(services, caller, file.apiKeyId, totals.bytes - file.size, now);
  const billing = caller.kind === "visitor" ? null : await findBilling(db, caller.userId);
  if (outcome === "ended" || !billing) throw await endedError(db, file.id);
  const { bytes, periodStart, periodEnd } = billing;
  const hasBegunSinceStart = periodStart.getTime() !== file.reservedPeriodStart.getTime() || periodEnd.getTime() <= now;
  throw growthExceeded(caller.plan, totals.bytes - file.size, { bytes, hasBegunSinceStart });
}

async function endedError(db: Services["db"], id: string): Promise<AppError> {
  const file = await findFileById(db, id);
  return new AppError(file?.status === "ready" ? "UPLOAD_FINISHED" : "UPLOAD_CLOSED");
}

/**
 * Stores a part, or a whole pack, for browsers that cannot reach storage. With its next batch, the browser reports the
 * part and the CRC-32 that the browser has computed.
 * @param length Content-Length
 * @throws AppError FILE_NOT_FOUND, UPLOAD_CLOSED, UPLOAD_FINISHED, LENGTH_REQUIRED, BAD_REQUEST, BODY_TOO_LARGE
 */
export async function proxyObjectPart(
  services: Services,
  lookup: CallerLookup,
  address: { downloadId: string; object: number; part: number },
  { length, body }: { length: number | null; body: ReadableStream },
): Promise<ProxiedObjectPart> {
  const { object, part } = address;
  const file = requireUnfinished(requireTransfer(await getOwnFile(services, lookup, address.downloadId)));
  if (length === null) throw new AppError("LENGTH_REQUIRED");
  const target = await transferSessionOf(services, file).partTarget(object, part);
  if (!target.ok) throw toTransferError(target);
  requireLength(part, length, target.lengthBytes);
  const { upload, storedEtag } = target;
  if (storedEtag !== null) return { object, part, etag: storedEtag };
  if (!upload) throw new AppError("UPLOAD_CLOSED");
  const { key, r2UploadId, firstPart } = upload;
  try {
    const etag = await putPart(services.bucket, key, r2UploadId, part - firstPart + 1, body);
    return { object, part, etag };
  } catch (error) {
    if (error instanceof UploadGoneError) throw new AppError("UPLOAD_CLOSED");
    throw error;
  }
}

function requireLength(part: number, length: number, expected: number): void {
  if (length > expected) throw new AppError("BODY_TOO_LARGE", { message: `Part ${part} holds ${expected} bytes.` });
  if (length < expected) throw new AppError("BAD_REQUEST", { message: `Part ${part} has to hold ${expected} bytes.` });
}

/**
 * Finishes a transfer. Idempotent.
 * @throws AppError FILE_NOT_FOUND, UPLOAD_CLOSED, UPLOAD_INCOMPLETE, MANIFEST_MISSING, CONTENT_BLOCKED,
 * STORAGE_UNAVAILABLE
 */
export async function finishTransfer(
  services: Services,
  lookup: CallerLookup,
  downloadId: string,
  { receipts, summary }: { receipts: CompletedObjectPart[]; summary?: UploadSummary | undefined },
): Promise<FinishTransferAnswer> {
  const file = requireTransfer(await getOwnFile(services, lookup, downloadId));
  if (file.status === "ready") return describe(services, file);
  if (file.status !== "uploading") throw new AppError(closedCode(await findEndCode(services.db, file.id)));
  await requireFinalManifest(services, file);
  const result = await transferSessionOf(services, file).finish(receipts);
  if (!result.ok) throw toTransferError(result);
  keepSummary(services, file, summary);
  const finished = await findFileById(services.db, file.id);
  if (!finished) throw new AppError("FILE_NOT_FOUND");
  tellOfReceived(services, finished, "arrived", Date.now());
  return describe(services, finished);
}

function describe({ settings }: Services, file: FileRow): FinishTransferAnswer {
  return {
    id: file.id,
    downloadId: file.downloadId,
    shareUrl: shareUrl(settings, file.downloadId),
    downloadUrl: archiveUrl(settings, file.downloadId, file.etag ?? ""),
    filename: archiveName(file.filename),
    size: file.size,
    zipSize: file.zipSize ?? 0,
    entries: file.entryCount ?? 0,
    expiresAt: toIso(file.expiresAt?.getTime() ?? null),
  };
}
