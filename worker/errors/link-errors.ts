import { AppError } from "#domain/errors.ts";
import type { FileRow } from "../db/files.ts";
import { localizedError } from "./translate-error.ts";

type EndedLink = Pick<FileRow, "entryCount" | "passwordHash" | "seal" | "maxDownloads" | "endReason">;

/** FILE_EXPIRED, for a file or a transfer whose time is up; DOWNLOADS_USED_UP if its downloads ended it. */
export function expiredError({ entryCount, passwordHash, seal, maxDownloads, endReason }: EndedLink): AppError {
  if (passwordHash !== null || seal !== null) return lockedExpiredError();
  if (endReason === "downloads" && maxDownloads !== null) return usedUpError(maxDownloads);
  return entryCount === null ? new AppError("FILE_EXPIRED") : localizedError("FILE_EXPIRED", "transferExpired", {});
}

/** FILE_EXPIRED, for a file or a transfer that its owner or an administrator has removed. */
export function removedError({ entryCount, passwordHash, seal }: EndedLink): AppError {
  // Whoever cannot unlock it does not learn whether it is one file or many.
  if (passwordHash !== null || seal !== null) return localizedError("FILE_EXPIRED", "linkRemoved", {});
  return localizedError("FILE_EXPIRED", entryCount === null ? "fileRemoved" : "transferRemoved", {});
}

/** @param maxDownloads the link's limit */
export function usedUpError(maxDownloads: number): AppError {
  return localizedError("DOWNLOADS_USED_UP", "downloadsUsedUp", { count: maxDownloads });
}

/** Whether the error is about a transfer that has ended, not about a single file. */
export function isOfTransfer({ localizedMessage }: AppError): boolean {
  return localizedMessage?.name === "transferExpired" || localizedMessage?.name === "transferRemoved";
}

/** What answers for an ended link that is locked, to somebody who may not be able to unlock it. */
export function lockedExpiredError(): AppError {
  return localizedError("FILE_EXPIRED", "linkExpired", {});
}
