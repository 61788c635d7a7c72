import { AppError } from "#domain/errors.ts";
import { expiresAt, type Lifetime } from "#domain/expiry.ts";
import { isMultipart, PARTS_SIGNED_AT_START, planParts, type PartPlan } from "#domain/parts.ts";
import type { StartUploadAnswer, StartUploadRequest, PartSum } from "#domain/wire.ts";
import type { Caller } from "../callers/caller.ts";
import { checkPlan, plainSize } from "../callers/check-plan.ts";
import { sessionOf, toAppError } from "../callers/sessions.ts";
import type { FileRow } from "../db/files.ts";
import type { NewFile } from "../db/new-files.ts";
import { protectionOf, sealStateOf } from "../links/describe-link.ts";
import { updateResumedProtection } from "../links/protection-at-start.ts";
import type { Services } from "../services.ts";
import { shareUrl, toIso } from "../urls.ts";
import { openUpload, type NewUpload, type OpenedUpload } from "./open-upload.ts";
import { signPart } from "./parts.ts";
import { isIdentifiable, resumeFirst, resumeMatchingUpload } from "./resume.ts";
import { type StartKey, findRepeatedStart, requireRepeated } from "./start-key.ts";

/**
 * Resumes the caller's unfinished upload of the same file.
 * @param rateLimit settles when the rate limit has been checked @param now epoch milliseconds
 * @throws AppError FILE_TOO_LARGE, RATE_LIMITED, STORAGE_UNAVAILABLE, KEY_LIMIT, REPEATED_DIFFERENTLY, UPLOAD_CLOSED, or
 *   PLAN_LIMIT_EXCEEDED with `planLimitExceeded`
 */
export async function startUpload(
  services: Services,
  caller: Caller,
  request: StartUploadRequest,
  rateLimit: Promise<void>,
  now: number,
  { sha256 = null, startKey = null }: ProgramStart = {},
): Promise<StartUploadAnswer> {
  const isSealed = request.seal !== undefined;
  const lifetime: Lifetime = {
    expiration: request.expiration,
    expirationChosen: request.expirationChosen,
    sizeBytes: request.fileSize,
  };
  await preferRateLimitError(rateLimit, () =>
    checkPlan(caller, { ...lifetime, sizeBytes: plainSize(lifetime.sizeBytes, isSealed) }),
  );
  const parts = planParts(lifetime.sizeBytes);
  const upload: NewUpload = {
    ...request,
    lifetime,
    sha256,
    startKey,
    partSizeBytes: isMultipart(lifetime.sizeBytes) ? parts.partSizeBytes : null,
    chunkSizeBytes: null,
    now,
  };
  // A hash costs too much for a call that will be refused.
  if (startKey !== null || request.guards?.password !== undefined) await rateLimit;
  const begun =
    startKey === null
      ? await openOrResume(services, caller, upload, rateLimit)
      : await openOnce(services, caller, { ...upload, startKey });
  if (begun.kind === "opened") {
    return answerStart(services, begun.file, lifetime, { r2UploadId: begun.r2UploadId, received: [], parts }, now);
  }
  const file = await updateResumedProtection(services, caller, begun.file, request.guards, now);
  return answerStart(services, file, lifetime, begun.progress, now);
}

/** If both fail, throws the rate limit's error. */
async function preferRateLimitError(rateLimit: Promise<void>, check: () => void): Promise<void> {
  try {
    check();
  } catch (error) {
    await rateLimit;
    throw error;
  }
}

/** What a program's start may have besides. */
interface ProgramStart {
  /** The sender's word, in hex. */
  sha256?: string | null;
  startKey?: StartKey | null;
}

async function answerStart(
  services: Services,
  file: NewFile | FileRow,
  lifetime: Lifetime,
  { r2UploadId, received, marks, sums, parts }: StoredParts,
  now: number,
): Promise<StartUploadAnswer> {
  const { id, downloadId, mimeType } = file;
  const { sizeBytes } = lifetime;
  const missing = missingParts(parts, new Set(received)).slice(0, PARTS_SIGNED_AT_START);
  const sign = (part: number) => signPart(services, { id, mimeType, sizeBytes }, r2UploadId, parts, part);
  const urls = await Promise.all(missing.map(async (part) => ({ part, url: await sign(part) })));
  return {
    presignedUrl: urls[0]?.url ?? "",
    urls,
    received,
    uploadId: id,
    downloadId,
    shareUrl: shareUrl(services.settings, downloadId),
    fileData: { contentType: mimeType },
    expiresAt: toIso(expiresAt(lifetime, now)),
    ...(r2UploadId === null ? {} : { multipart: parts }),
    ...protectionOf(file),
    ...sealStateOf(file),
    ...(file.seal !== null && marks && { marks }),
    ...(sums && { sums }),
  };
}

function missingParts({ partCount }: PartPlan, received: ReadonlySet<number>): number[] {
  return Array.from({ length: partCount }, (_, index) => index + 1).filter((part) => !received.has(part));
}

interface StoredParts {
  r2UploadId: string | null;
  received: number[];
  /** The marks of an upload that is resumed. */
  marks?: { part: number; mark: string }[];
  sums?: PartSum[];
  /** As the upload was started, maybe by another release. */
  parts: PartPlan;
}

type Begun = OpenedUpload | { kind: "resumed"; file: FileRow; progress: StoredParts };

async function openOrResume(
  services: Services,
  caller: Caller,
  upload: NewUpload,
  rateLimit: Promise<void>,
): Promise<Begun> {
  if (!isIdentifiable(identityOf(upload))) return openUpload(services, caller, upload, rateLimit);
  const result = await openUpload(services, caller, upload, rateLimit, "return");
  if (result.kind === "opened") return result;
  const resumed = await resumeFirst(services, result.files, "parts", upload.lifetime);
  return resumed ? { kind: "resumed", file: resumed.file, progress: resumed } : openUpload(services, caller, upload);
}

function identityOf({ filename, lastModified = null, fingerprint = null, seal }: NewUpload) {
  return { filename, lastModified, fingerprint, isSealed: seal !== undefined };
}

/**
 * Opens one upload for a start key, however often and in parallel it comes. Under a new key, an unfinished upload of the
 * same file goes on, as without a key.
 * @throws AppError REPEATED_DIFFERENTLY, UPLOAD_CLOSED, STORAGE_UNAVAILABLE when the first start is still at work, and
 *   what `openUpload` throws
 */
async function openOnce(
  services: Services,
  caller: Caller,
  upload: NewUpload & { startKey: StartKey },
): Promise<Begun> {
  const { startKey, lifetime } = upload;
  const repeated = await findRepeatedStart(services, caller, startKey);
  if (repeated) return resumeStarted(services, repeated, upload);
  const resumed = await resumeMatchingUpload(services, caller, "parts", identityOf(upload), lifetime);
  if (resumed) return { kind: "resumed", file: resumed.file, progress: resumed };
  const result = await openUpload(services, caller, upload, Promise.resolve(), "return");
  if (result.kind === "opened") return result;
  const [first] = result.files;
  if (!first) throw new Error("an upload matched and was not listed");
  return resumeStarted(services, requireRepeated(first, startKey), upload);
}

async function resumeStarted(services: Services, file: FileRow, { lifetime }: NewUpload): Promise<Begun> {
  if (file.status === "ready") {
    const parts = planParts(file.size);
    const received = Array.from({ length: parts.partCount }, (_, index) => index + 1);
    return { kind: "resumed", file, progress: { r2UploadId: null, received, parts } };
  }
  const progress = await sessionOf(services, file).resume("parts", lifetime);
  if (progress.ok) return { kind: "resumed", file, progress };
  throw progress.code === "NO_UPLOAD" ? new AppError("STORAGE_UNAVAILABLE") : toAppError(progress);
}
