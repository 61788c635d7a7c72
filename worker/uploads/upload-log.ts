import { AppError } from "#domain/errors.ts";
import type { UploadSummary } from "#domain/wire.ts";
import { keyIdOf, quotaHolderOf, type Caller } from "../callers/caller.ts";
import type { FileRow } from "../db/files.ts";
import { logRejectedUpload, addUploadSummary } from "../db/upload-audit.ts";
import { logError } from "../log.ts";
import type { Services } from "../services.ts";

export interface RequestedFile {
  filename: string;
  sizeBytes: number;
  mimeType: string;
}

/** Does not log RATE_LIMITED: a client over its limit must not fill the database. */
export async function logRejections<Result>(
  services: Services,
  caller: Caller,
  requested: RequestedFile,
  start: () => Promise<Result>,
): Promise<Result> {
  try {
    return await start();
  } catch (error) {
    if (error instanceof AppError && error.code !== "RATE_LIMITED") {
      const { code, message } = error;
      const who = { userId: quotaHolderOf(caller), apiKeyId: keyIdOf(caller) };
      const rejected = { ...requested, ...who, code, message, caller, at: Date.now() };
      await logRejectedUpload(services.db, rejected);
    }
    throw error;
  }
}

/**
 * Stores the summary of an upload in the background, because nothing depends on it. Call it once the sender is known to
 * own the upload.
 */
export function keepSummary(services: Services, { id }: FileRow, summary: UploadSummary | undefined): void {
  if (summary === undefined) return;
  const kept = addUploadSummary(services.db, id, summary).catch((error: unknown) =>
    logError("uploads.summary_not_kept", error, { fileId: id }),
  );
  services.waitUntil(kept);
}
