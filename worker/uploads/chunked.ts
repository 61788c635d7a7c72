import { toHex } from "#domain/bytes-as-text.ts";
import type { DownloadNotice } from "#domain/notices/when-mailed.ts";
import { chunkSizeFor, SERVER_PART_BYTES } from "#domain/parts.ts";
import type {
  ChunkAnswer,
  FinalizeChunkedAnswer,
  ProtectionAtStart,
  InitChunkedAnswer,
  SealAtStart,
  UploadSummary,
} from "#domain/wire.ts";
import type { Caller } from "../callers/caller.ts";
import { checkPlan, plainSize } from "../callers/check-plan.ts";
import { readLifetime, type ChosenEnd } from "../callers/lifetime.ts";
import {
  getOwnFileById,
  requireSingleFile,
  requireUnfinished,
  sessionOf,
  toAppError,
  type CallerLookup,
} from "../callers/sessions.ts";
import type { FileRow } from "../db/files.ts";
import type { NewFile } from "../db/uploads.ts";
import { protectionOf, sealStateOf } from "../links/describe-link.ts";
import { updateResumedProtection } from "../links/protection-at-start.ts";
import type { Services } from "../services.ts";
import { shareUrl } from "../urls.ts";
import { requireFinalManifest } from "./manifest.ts";
import { openUpload } from "./open-upload.ts";
import { resumeMatchingUpload, type ResumedUpload } from "./resume.ts";
import { keepSummary } from "./upload-log.ts";

export interface InitChunked extends ChosenEnd {
  filename: string;
  fileType: string;
  totalSize: number;
  maxChunkSize?: number | undefined;
  lastModified: number | null;
  fingerprint: string | null;
  guards?: ProtectionAtStart | undefined;
  notify?: DownloadNotice | undefined;
  seal?: SealAtStart | undefined;
}

/**
 * Resumes the caller's unfinished upload of the same file. @param now epoch milliseconds
 * @throws AppError FILE_TOO_LARGE, PLAN_LIMIT_EXCEEDED, RATE_LIMITED, STORAGE_UNAVAILABLE, BAD_REQUEST for a wrong end
 */
export async function initChunked(
  services: Services,
  caller: Caller,
  request: InitChunked,
  now: number,
): Promise<InitChunkedAnswer> {
  const { totalSize: sizeBytes } = request;
  const lifetime = readLifetime(request, sizeBytes, now);
  const isSealed = request.seal !== undefined;
  checkPlan(caller, { ...lifetime, sizeBytes: plainSize(sizeBytes, isSealed) });
  const chunkSize = chunkSizeFor(sizeBytes, request.maxChunkSize);
  const resumed = await resumeMatchingUpload(services, caller, "chunks", { ...request, isSealed }, lifetime);
  if (resumed && resumed.chunkSizeBytes !== null && resumed.chunkSizeBytes <= chunkSize) {
    const file = await updateResumedProtection(services, caller, resumed.file, request.guards, now);
    return answerInit(services, file, resumed.chunkSizeBytes, resumed.nextChunk, resumed);
  }
  // The client asks for smaller chunks, and an upload cannot change its chunk size.
  if (resumed) await sessionOf(services, resumed.file).cancel();
  const { file } = await openUpload(services, caller, {
    ...request,
    lifetime,
    keptGuards: resumed?.file,
    // A multipart upload needs a part, and an empty file has none.
    partSizeBytes: sizeBytes === 0 ? null : SERVER_PART_BYTES,
    chunkSizeBytes: chunkSize,
    now,
  });
  return answerInit(services, file, chunkSize, 0);
}

function answerInit(
  { settings }: Services,
  file: NewFile | FileRow,
  chunkSize: number,
  nextChunk: number,
  { chunkMarks: marks, sums, parts }: Partial<ResumedUpload> = {},
): InitChunkedAnswer {
  const { id: uploadId, downloadId } = file;
  const link = { downloadId, shareUrl: shareUrl(settings, downloadId), ...protectionOf(file), ...sealStateOf(file) };
  return {
    uploadId,
    chunkSize,
    nextChunk,
    ...link,
    ...(file.seal !== null && marks && { marks }),
    ...(sums && parts && { sums, partSizeBytes: parts.partSizeBytes }),
  };
}

/**
 * Idempotent.
 * @throws AppError FILE_NOT_FOUND, UPLOAD_CLOSED, CHUNK_TOO_LARGE with `maxChunkSize`, CHUNK_CONFLICT, BAD_REQUEST
 */
export async function putChunk(
  services: Services,
  caller: CallerLookup,
  request: { uploadId: string; chunkIndex: number; chunk: Blob; mark?: string | undefined },
): Promise<ChunkAnswer> {
  const file = requireUnfinished(requireSingleFile(await getOwnFileById(services, caller, request.uploadId)));
  const bytes = await request.chunk.arrayBuffer();
  const sha256 = toHex(await crypto.subtle.digest("SHA-256", bytes));
  const result = await sessionOf(services, file).putChunk({
    index: request.chunkIndex,
    bytes,
    sha256,
    mark: request.mark,
  });
  if (!result.ok) throw toAppError(result);
  return { receivedChunks: result.receivedChunks };
}

/**
 * Idempotent.
 * @throws AppError UPLOAD_INCOMPLETE naming the missing chunks, MANIFEST_MISSING, OBJECT_MISMATCH, STORAGE_UNAVAILABLE
 */
export async function finalizeChunked(
  services: Services,
  caller: CallerLookup,
  { uploadId, summary }: { uploadId: string; summary?: UploadSummary | undefined },
): Promise<FinalizeChunkedAnswer> {
  const file = requireSingleFile(await getOwnFileById(services, caller, uploadId));
  if (file.status === "uploading") await requireFinalManifest(services, file);
  const isReady = file.status === "ready";
  const result = isReady
    ? { ok: true as const, expiresAt: file.expiresAt?.getTime() ?? null }
    : await sessionOf(services, requireUnfinished(file)).finalizeChunks();
  if (!result.ok) throw toAppError(result);
  // A finished upload has its summary already.
  if (!isReady) keepSummary(services, file, summary);
  return {
    downloadId: file.downloadId,
    shareUrl: shareUrl(services.settings, file.downloadId),
    ...(result.expiresAt === null ? {} : { expiresAt: new Date(result.expiresAt).toISOString() }),
  };
}
