import { AppError } from "#domain/errors.ts";
import { localizedError } from "./translate-error.ts";

/** What tells a transfer of many files from a single file. */
interface SharedFile {
  entryCount: number | null;
}

/** FILE_EXPIRED, for a file or a transfer whose time is up. */
export function expiredError({ entryCount }: SharedFile): AppError {
  return entryCount === null ? new AppError("FILE_EXPIRED") : localizedError("FILE_EXPIRED", "transferExpired", {});
}

/** FILE_EXPIRED, for a file or a transfer that its owner or an administrator has removed. */
export function removedError({ entryCount }: SharedFile): AppError {
  return localizedError("FILE_EXPIRED", entryCount === null ? "fileRemoved" : "transferRemoved", {});
}
