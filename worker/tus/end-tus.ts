import { AppError } from "#domain/errors.ts";
import { releaseFile } from "../db/uploads.ts";
import type { Services } from "../services.ts";
import { sessionOf, toAppError } from "../uploads/sessions.ts";
import type { TusFile } from "./start-tus.ts";

/** Ends an upload that is not whole yet, and gives its quota back. @throws AppError UPLOAD_FINISHED, STORAGE_UNAVAILABLE */
export async function endTus(services: Services, file: TusFile): Promise<void> {
  if (file.status === "ready") throw new AppError("UPLOAD_FINISHED");
  const result = await sessionOf(services, file).cancel();
  if (result.ok) return;
  if (result.code !== "NO_UPLOAD") throw toAppError(result);
  await releaseFile(services.db, file.id, "cancelled", "CANCELLED");
}
