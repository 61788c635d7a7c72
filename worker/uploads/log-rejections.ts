import { AppError } from "#domain/errors.ts";
import type { Services } from "../services.ts";
import { logRejectedUpload } from "../db/upload-audit.ts";
import type { Uploader } from "./uploader.ts";

/** What somebody wanted to upload. */
export interface Wanted {
  filename: string;
  sizeBytes: number;
  mimeType: string;
}

/**
 * Runs the start of an upload, and leaves a row in the audit log when it is refused: for what it is, not for coming too
 * often. A limit that is exceeded must not fill the database.
 */
export async function loggingRejections<Result>(
  services: Services,
  uploader: Uploader,
  wanted: Wanted,
  start: () => Promise<Result>,
): Promise<Result> {
  try {
    return await start();
  } catch (error) {
    if (error instanceof AppError && error.code !== "RATE_LIMITED") {
      const { code, message } = error;
      const rejected = { ...wanted, userId: uploader.userId, code, message, caller: uploader, at: Date.now() };
      await logRejectedUpload(services.db, rejected);
    }
    throw error;
  }
}
