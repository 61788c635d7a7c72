import { releaseFile } from "../db/uploads.ts";
import type { FileRow } from "../db/files.ts";
import type { Services } from "../services.ts";
import { anySessionOf, toAppError } from "./sessions.ts";

/**
 * Cancels an unfinished upload of either kind, also one whose session has not started yet, and gives its quota back.
 * A session that starts later finds that its row has ended. Idempotent. @throws AppError UPLOAD_FINISHED, STORAGE_UNAVAILABLE
 */
export async function endUpload(services: Services, file: Pick<FileRow, "id" | "entryCount">): Promise<void> {
  const result = await anySessionOf(services, file).cancel();
  if (result.ok) return;
  if (result.code !== "NO_UPLOAD") throw toAppError(result);
  await releaseFile(services.db, file.id, "cancelled", "CANCELLED");
}
