import { AppError } from "#domain/errors.ts";
import { tellOfReceived } from "../feed/tell.ts";
import type { Services } from "../services.ts";
import { endUpload } from "../callers/sessions.ts";
import type { TusFile } from "./start-tus.ts";

/**
 * Ends an upload that is not whole yet, and gives its quota back.
 * @throws AppError UPLOAD_FINISHED, STORAGE_UNAVAILABLE
 */
export async function endTus(services: Services, file: TusFile): Promise<void> {
  if (file.status === "ready") throw new AppError("UPLOAD_FINISHED");
  await endUpload(services, file);
  tellOfReceived(services, file, "ended", Date.now());
}
