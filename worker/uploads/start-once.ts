import { AppError } from "#domain/errors.ts";
import { planParts, type PartPlan } from "#domain/parts.ts";
import type { PartSum } from "#domain/wire.ts";
import type { FileRow } from "../db/files.ts";
import type { Services } from "../services.ts";
import { openUnlessMatching, type NewUpload, type OpenedUpload } from "./open-upload.ts";
import { resumeMatchingUpload } from "./resume.ts";
import { sessionOf, toAppError } from "../callers/sessions.ts";
import { findRepeatedStart, requireRepeated, type StartKey } from "./start-key.ts";
import type { Uploader } from "../callers/uploader.ts";

export interface UploadProgress {
  r2UploadId: string | null;
  received: number[];
  /** Of an upload that is resumed. */
  marks?: { part: number; mark: string }[];
  sums?: PartSum[];
  /** As the upload was started, maybe by another release. */
  parts: PartPlan;
}

type Once = OpenedUpload | { kind: "resumed"; file: FileRow; progress: UploadProgress };

/**
 * Opens one upload for a start key, however often and in parallel it comes. Under a new key, an unfinished upload of the
 * same file goes on, as without a key.
 * @throws AppError REPEATED_DIFFERENTLY, UPLOAD_CLOSED, STORAGE_UNAVAILABLE when the first start is still at work, and
 *   what `openUnlessMatching` throws
 */
export async function openOnce(
  services: Services,
  uploader: Uploader,
  upload: NewUpload & { startKey: StartKey },
  isSealed: boolean,
): Promise<Once> {
  const { startKey, lifetime, filename, lastModified = null, fingerprint = null } = upload;
  const repeated = await findRepeatedStart(services, uploader, startKey);
  if (repeated) return resumeStarted(services, repeated, upload);
  const identity = { filename, lastModified, fingerprint, isSealed };
  const resumed = await resumeMatchingUpload(services, uploader, "parts", identity, lifetime);
  if (resumed) return { kind: "resumed", file: resumed.file, progress: resumed };
  const result = await openUnlessMatching(services, uploader, upload, Promise.resolve());
  if (result.kind === "opened") return result;
  const [first] = result.files;
  if (!first) throw new Error("an upload matched and was not listed");
  return resumeStarted(services, requireRepeated(first, startKey), upload);
}

async function resumeStarted(services: Services, file: FileRow, { lifetime }: NewUpload): Promise<Once> {
  if (file.status === "ready") {
    const parts = planParts(file.size);
    const received = Array.from({ length: parts.partCount }, (_, index) => index + 1);
    return { kind: "resumed", file, progress: { r2UploadId: null, received, parts } };
  }
  const progress = await sessionOf(services, file).resume("parts", lifetime);
  if (progress.ok) return { kind: "resumed", file, progress };
  throw progress.code === "NO_UPLOAD" ? new AppError("STORAGE_UNAVAILABLE") : toAppError(progress);
}
