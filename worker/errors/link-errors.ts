import { AppError } from "#domain/errors.ts";
import type { FileRow } from "../db/files.ts";
import { localizedError } from "./translate-error.ts";

type EndedLink = Pick<FileRow, "entryCount" | "passwordHash" | "seal" | "maxDownloads" | "endReason">;

/** The error for an ended link: DOWNLOADS_USED_UP if the download limit ended the link, else FILE_EXPIRED. */
export function expiredError({ entryCount, passwordHash, seal, maxDownloads, endReason }: EndedLink): AppError {
  if (passwordHash !== null || seal !== null) return lockedExpiredError();
  if (endReason === "downloads" && maxDownloads !== null) return usedUpError(maxDownloads);
  return entryCount === null ? new AppError("FILE_EXPIRED") : localizedError("FILE_EXPIRED", "transferExpired", {});
}

/**
 * The error FILE_NOT_FOUND for the link of an upload that has failed or was cancelled. `reason` tells whoever has
 * followed the upload that its file changed.
 * @param code of the upload's end; null if it is unknown
 */
export function failedUploadError(code: string | null): AppError {
  return new AppError("FILE_NOT_FOUND", code === "FILE_CHANGED" ? { reason: code } : {});
}

/** The error FILE_EXPIRED for a file or transfer that the owner or an administrator has removed. */
export function removedError({ entryCount, passwordHash, seal }: EndedLink): AppError {
  // A locked link does not tell a person without password or key whether it was a file or a transfer.
  if (passwordHash !== null || seal !== null) return localizedError("FILE_EXPIRED", "linkRemoved", {});
  return localizedError("FILE_EXPIRED", entryCount === null ? "fileRemoved" : "transferRemoved", {});
}

/** @param maxDownloads the link's download limit */
export function usedUpError(maxDownloads: number): AppError {
  return localizedError("DOWNLOADS_USED_UP", "downloadsUsedUp", { count: maxDownloads });
}

/** Whether the error is about an ended transfer, not a single file. */
export function isOfTransfer({ localizedMessage }: AppError): boolean {
  return localizedMessage?.name === "transferExpired" || localizedMessage?.name === "transferRemoved";
}

/**
 * The error for an ended link with a password or encryption. The error does not tell whether it was a file or a
 * transfer.
 */
export function lockedExpiredError(): AppError {
  return localizedError("FILE_EXPIRED", "linkExpired", {});
}
