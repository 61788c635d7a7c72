import type { Checksum } from "#domain/checksums.ts";
import { AppError } from "#domain/errors.ts";
import type { CompleteUploadAnswer, CompletedPart, UploadSummary } from "#domain/wire.ts";
import {
  endUpload,
  getOwnFile,
  requireSingleFile,
  sessionOf,
  toAppError,
  type CallerLookup,
} from "../callers/sessions.ts";
import type { FileRow } from "../db/files.ts";
import { localizedError } from "../errors/translate-error.ts";
import { tellOfReceived } from "../feed/tell.ts";
import type { Services } from "../services.ts";
import { contentUrl, shareUrl, toIso } from "../urls.ts";
import { deliverFirst } from "../webhooks/deliver.ts";
import { requireFinalManifest } from "./manifest.ts";
import { keepSummary } from "./upload-log.ts";

/**
 * Idempotent. @param request `mustMatch`: bytes that we have hashed otherwise than `sha256` are discarded
 * @throws AppError FILE_NOT_FOUND, UPLOAD_CLOSED, UPLOAD_INCOMPLETE, MANIFEST_MISSING, OBJECT_MISMATCH,
 *   CHECKSUM_MISMATCH, FILE_CHANGED, STORAGE_UNAVAILABLE, BAD_REQUEST for a sealed upload's `sha256`
 */
export async function completeUpload(
  services: Services,
  caller: CallerLookup,
  request: {
    downloadId: string;
    receipts: CompletedPart[];
    sha256: string | null;
    crc32?: string | undefined;
    mustMatch?: boolean;
    summary?: UploadSummary | undefined;
  },
): Promise<CompleteUploadAnswer> {
  const file = requireSingleFile(await getOwnFile(services, caller, request.downloadId));
  if (file.status === "ready") return describe(services, file, file.expiresAt?.getTime() ?? null);
  if (file.status !== "uploading") throw new AppError("UPLOAD_CLOSED");
  if (file.seal !== null && request.sha256 !== null) {
    throw localizedError("BAD_REQUEST", "sealedSum", {}, { field: "sha256" });
  }
  await requireFinalManifest(services, file);
  const sha256 = request.sha256 ?? file.sha256;
  const checksum: Checksum | null = sha256 === null ? null : { sha256, source: "browser" };
  const { receipts, mustMatch, crc32 = null } = request;
  const result = await sessionOf(services, file).complete(receipts, checksum, mustMatch, crc32);
  if (!result.ok) throw toAppError(result);
  keepSummary(services, file, request.summary);
  deliverFirst(services, file.id, result);
  return describe(services, file, result.expiresAt);
}

/** Releases the quota. Idempotent. @throws AppError FILE_NOT_FOUND, UPLOAD_FINISHED */
export async function cancelUpload(
  services: Services,
  caller: CallerLookup,
  downloadId: string,
  summary?: UploadSummary,
): Promise<void> {
  const file = await getOwnFile(services, caller, downloadId);
  if (file.status === "ready") throw new AppError("UPLOAD_FINISHED");
  if (file.status !== "uploading") return;
  await endUpload(services, file);
  keepSummary(services, file, summary);
  tellOfReceived(services, file, "ended", Date.now());
}

/** Keeps the summary of an upload that failed and may go on. @throws AppError FILE_NOT_FOUND */
export async function noteFailedUpload(
  services: Services,
  caller: CallerLookup,
  { downloadId, summary }: { downloadId: string; summary: UploadSummary },
): Promise<void> {
  const file = await getOwnFile(services, caller, downloadId);
  // The row of a finished upload has its summary already.
  if (file.status === "uploading") keepSummary(services, file, summary);
}

function describe({ settings }: Services, file: FileRow, expiresAtMs: number | null): CompleteUploadAnswer {
  return {
    id: file.id,
    downloadId: file.downloadId,
    shareUrl: shareUrl(settings, file.downloadId),
    downloadUrl: contentUrl(settings, file.downloadId),
    filename: file.filename,
    size: file.size,
    expiresAt: toIso(expiresAtMs),
  };
}
