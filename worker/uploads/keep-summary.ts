import type { UploadSummary } from "#domain/wire.ts";
import type { FileRow } from "../db/files.ts";
import { addUploadSummary } from "../db/upload-audit.ts";
import { logError } from "../log.ts";
import type { Services } from "../services.ts";

/** Keeps how an upload went, behind the answer: nothing depends on it. Call once its sender is known to own it. */
export function keepSummary(services: Services, { id }: FileRow, summary: UploadSummary | undefined): void {
  if (summary === undefined) return;
  const kept = addUploadSummary(services.db, id, summary).catch((error: unknown) =>
    logError("uploads.summary_not_kept", error, { fileId: id }),
  );
  services.waitUntil(kept);
}
