import type { PartPlan } from "#domain/parts.ts";
import type { Services } from "../services.ts";
import type { FileRow } from "../db/files.ts";
import { anySessionOf, getOwnFile, sessionOf, type UploaderLookup } from "../callers/sessions.ts";

export interface UploadState {
  file: FileRow;
  /** Percent that is stored. */
  progress: number;
  /** Of a single file that comes in parts. */
  received?: number[];
  parts?: PartPlan;
}

/** How far an upload is. @param id the file's @throws AppError FILE_NOT_FOUND */
export async function readUpload(services: Services, uploader: UploaderLookup, id: string): Promise<UploadState> {
  const file = await getOwnFile(services, uploader, id);
  if (file.status !== "uploading") return { file, progress: file.status === "ready" ? 100 : 0 };
  const status = await anySessionOf(services, file).status();
  const progress = status?.progress ?? 0;
  if (file.entryCount !== null) return { file, progress };
  const session = await sessionOf(services, file).prepareSigning([]);
  // An upload in chunks, or one that has just ended.
  if (!session.ok) return { file, progress };
  return { file, progress, received: session.received, parts: session.parts };
}
