import { AppError, type ErrorCode } from "#domain/errors.ts";
import type { Refusal } from "#durable-objects/upload-results.ts";
import type { Services } from "../services.ts";
import { findFileByDownloadId, findFileById, type FileRow } from "../db/files.ts";
import { owns, type Uploader } from "./uploader.ts";

/** The Durable Object of that upload. Only ids that D1 knows may be passed, so guessing creates nothing. */
export function sessionOf({ uploads }: Services, fileId: string) {
  return uploads.get(uploads.idFromName(fileId));
}

/** A refusal of the Durable Object as the error that answers it. */
export function refusal({ code, message, missing, maxChunkSize }: Refusal): AppError {
  const known: ErrorCode = code === "NO_UPLOAD" ? "UPLOAD_CLOSED" : code;
  return new AppError(known, {
    ...(message === undefined ? {} : { message }),
    ...(missing ? { missing } : {}),
    ...(maxChunkSize === undefined ? {} : { maxChunkSize }),
  });
}

/** Who uploads, or the looking up of who that is: it goes on side by side with the looking up of the file. */
export type Asker = Uploader | Promise<Uploader>;

/** The uploader's own upload or file behind a link. @throws AppError FILE_NOT_FOUND, and what the looking up throws */
export async function getOwnFile({ db }: Services, asker: Asker, downloadId: string): Promise<FileRow> {
  const [uploader, file] = await Promise.all([asker, findFileByDownloadId(db, downloadId)]);
  return requireOwn(file, uploader);
}

/** The uploader's own upload or file of that id. @throws AppError FILE_NOT_FOUND */
export async function getOwnFileById({ db }: Services, asker: Asker, id: string): Promise<FileRow> {
  const [uploader, file] = await Promise.all([asker, findFileById(db, id)]);
  return requireOwn(file, uploader);
}

/** That upload, if it still takes bytes. @throws AppError UPLOAD_FINISHED, UPLOAD_CLOSED */
export function requireUnfinished(file: FileRow): FileRow {
  if (file.status === "ready") throw new AppError("UPLOAD_FINISHED");
  if (file.status !== "uploading") throw new AppError("UPLOAD_CLOSED");
  return file;
}

function requireOwn(file: FileRow | null, uploader: Uploader): FileRow {
  if (!file || !owns(uploader, file) || file.deletedAt) throw new AppError("FILE_NOT_FOUND");
  return file;
}
