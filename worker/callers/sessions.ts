import { AppError, type ErrorCode } from "#domain/errors.ts";
import { LOCALES } from "#domain/locale.ts";
import type { TransferRejection } from "#durable-objects/transfer/results.ts";
import type { TransferSession } from "#durable-objects/transfer/transfer-session.ts";
import type { UploadRejection } from "#durable-objects/upload/results.ts";
import { findFileByDownloadId, findFileById, type FileRow } from "../db/files.ts";
import { releaseFile } from "../db/uploads.ts";
import { translate } from "../errors/translate-error.ts";
import type { Services } from "../services.ts";
import { owns, type Caller } from "./caller.ts";

const LINK_ID_LENGTH = 22;

type UploadRow = Pick<FileRow, "id" | "entryCount">;

/**
 * The upload session of a single file. Pass only rows from D1: a guessed id would create a Durable Object.
 * @throws AppError BAD_REQUEST for a transfer
 */
export function sessionOf({ uploads }: Services, file: UploadRow) {
  const { id } = requireSingleFile(file);
  return uploads.get(uploads.idFromName(id));
}

/** @throws AppError BAD_REQUEST for a transfer */
export function requireSingleFile<Row extends UploadRow>(file: Row): Row {
  if (file.entryCount === null) return file;
  throw new AppError("BAD_REQUEST", {
    message: "This upload is a transfer of many files. Use the calls of /api/transfers for it.",
  });
}

/** @throws AppError BAD_REQUEST for a single file */
export function requireTransfer<Row extends UploadRow>(file: Row): Row {
  if (file.entryCount !== null) return file;
  throw new AppError("BAD_REQUEST", {
    message: "This upload is a single file. Use the calls of /api/direct-upload for it.",
  });
}

type TransferCall =
  | "start"
  | "batch"
  | "resume"
  | "partTarget"
  | "finish"
  | "cancel"
  | "follow"
  | "unfollow"
  | "status"
  | "endIfAbandoned"
  | "list"
  | "locate"
  | "pages"
  | "readManifest"
  | "putManifest"
  | "moveManifest"
  | "takePictures"
  | "findPicture"
  | "countPictures"
  | "remove"
  | "rewriteRow"
  | "move"
  | "forget";

/** The types of the session's methods. Cloudflare's own RPC types would turn tuples into arrays. */
type TransferSessionCalls = {
  [Call in TransferCall]: (
    ...args: Parameters<TransferSession[Call]>
  ) => Promise<Awaited<ReturnType<TransferSession[Call]>>>;
} & Pick<DurableObjectStub, "fetch">;

/** @throws AppError BAD_REQUEST for a single file */
export function transferSessionOf({ transfers }: Services, file: UploadRow): TransferSessionCalls {
  const { id } = requireTransfer(file);
  // The generated type and ours describe the same calls; TypeScript cannot compare the two.
  return transfers.get(transfers.idFromName(id)) as unknown as TransferSessionCalls;
}

/** The upload session of a single file or of a transfer, for what both kinds can do: cancel, progress, abandonment. */
export function anySessionOf(services: Services, upload: UploadRow) {
  return upload.entryCount === null ? sessionOf(services, upload) : transferSessionOf(services, upload);
}

export function toAppError({ code, message, missing, maxChunkSize }: UploadRejection): AppError {
  const errorCode: ErrorCode = code === "NO_UPLOAD" ? "UPLOAD_CLOSED" : code;
  return new AppError(errorCode, {
    ...(message === undefined ? {} : { message }),
    ...(missing ? { missing } : {}),
    ...(maxChunkSize === undefined ? {} : { maxChunkSize }),
  });
}

/** The caller, or a promise of the caller, so that caller and file are looked up in parallel. */
export type CallerLookup = Caller | Promise<Caller>;

/**
 * @param address the link's id, or the file's id, which programs use
 * @throws AppError FILE_NOT_FOUND, also for another caller's file; and the errors of the caller's lookup
 */
export async function getOwnFile({ db }: Services, lookup: CallerLookup, address: string): Promise<FileRow> {
  const find = address.length === LINK_ID_LENGTH ? findFileByDownloadId : findFileById;
  const [caller, file] = await Promise.all([lookup, find(db, address)]);
  return requireOwn(file, caller);
}

/** @throws AppError FILE_NOT_FOUND, also for another caller's file; and the errors of the caller's lookup */
export async function getOwnFileById({ db }: Services, lookup: CallerLookup, id: string): Promise<FileRow> {
  const [caller, file] = await Promise.all([lookup, findFileById(db, id)]);
  return requireOwn(file, caller);
}

/** @throws AppError UPLOAD_FINISHED, UPLOAD_CLOSED */
export function requireUnfinished(file: FileRow): FileRow {
  if (file.status === "ready") throw new AppError("UPLOAD_FINISHED");
  if (file.status !== "uploading") throw new AppError("UPLOAD_CLOSED");
  return file;
}

function requireOwn(file: FileRow | null, caller: Caller): FileRow {
  if (!file || !owns(caller, file) || file.deletedAt) throw new AppError("FILE_NOT_FOUND");
  return file;
}

/**
 * Cancels an unfinished upload of a single file or of a transfer, even if its session has not started yet, and gives
 * its quota back. A session that starts later finds that its row has ended. Idempotent.
 * @throws AppError UPLOAD_FINISHED, STORAGE_UNAVAILABLE
 */
export async function endUpload(services: Services, file: Pick<FileRow, "id" | "entryCount">): Promise<void> {
  const result = await anySessionOf(services, file).cancel();
  if (result.ok) return;
  if (result.code !== "NO_UPLOAD") throw toAppError(result);
  await releaseFile(services.db, file.id, "cancelled", "CANCELLED");
}

/** The error for a transfer session's rejection. */
export function toTransferError(rejection: TransferRejection): AppError {
  const { code, localizedMessage, message, index, missing, missingCount, retryAfterSeconds } = rejection;
  const errorCode: ErrorCode = code === "NO_UPLOAD" ? "UPLOAD_CLOSED" : code;
  const english = localizedMessage ? translate(localizedMessage, LOCALES[0]) : message;
  return new AppError(
    errorCode,
    {
      ...(english === undefined ? {} : { message: english }),
      ...(index === undefined ? {} : { index }),
      ...(missing === undefined ? {} : { missing }),
      ...(missingCount === undefined ? {} : { missingCount }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    },
    localizedMessage ?? null,
  );
}
