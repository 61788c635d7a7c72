import { AppError, type ErrorCode } from "#domain/errors.ts";
import type { UploadRejection } from "#durable-objects/upload-results.ts";
import type { Services } from "../services.ts";
import { findFileByDownloadId, findFileById, type FileRow } from "../db/files.ts";
import { owns, type Uploader } from "./uploader.ts";

/** Pass only ids from D1: a guessed id would create a Durable Object. */
export function sessionOf({ uploads }: Services, fileId: string) {
  return uploads.get(uploads.idFromName(fileId));
}

export function toAppError({ code, message, missing, maxChunkSize }: UploadRejection): AppError {
  const errorCode: ErrorCode = code === "NO_UPLOAD" ? "UPLOAD_CLOSED" : code;
  return new AppError(errorCode, {
    ...(message === undefined ? {} : { message }),
    ...(missing ? { missing } : {}),
    ...(maxChunkSize === undefined ? {} : { maxChunkSize }),
  });
}

/** A promise, so that uploader and file are looked up in parallel. */
export type UploaderLookup = Uploader | Promise<Uploader>;

/** @throws AppError FILE_NOT_FOUND, also for another uploader's file; and what the lookup throws */
export async function getOwnFile({ db }: Services, lookup: UploaderLookup, downloadId: string): Promise<FileRow> {
  const [uploader, file] = await Promise.all([lookup, findFileByDownloadId(db, downloadId)]);
  return requireOwn(file, uploader);
}

/** @throws AppError FILE_NOT_FOUND, also for another uploader's file; and what the lookup throws */
export async function getOwnFileById({ db }: Services, lookup: UploaderLookup, id: string): Promise<FileRow> {
  const [uploader, file] = await Promise.all([lookup, findFileById(db, id)]);
  return requireOwn(file, uploader);
}

/** @throws AppError UPLOAD_FINISHED, UPLOAD_CLOSED */
export function requireUnfinished(file: FileRow): FileRow {
  if (file.status === "ready") throw new AppError("UPLOAD_FINISHED");
  if (file.status !== "uploading") throw new AppError("UPLOAD_CLOSED");
  return file;
}

function requireOwn(file: FileRow | null, uploader: Uploader): FileRow {
  if (!file || !owns(uploader, file) || file.deletedAt) throw new AppError("FILE_NOT_FOUND");
  return file;
}
