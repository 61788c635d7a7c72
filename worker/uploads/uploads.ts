import { allows, limitFor, planThatAllows, LARGEST_FILE_BYTES } from "#domain/plans.ts";
import { AppError, type ErrorCode } from "#domain/errors.ts";
import { expirationLabel, expiresAt, type Lifetime } from "#domain/expiry.ts";
import { mimeTypeOf } from "#domain/mime.ts";
import { isMultipart, partLength, planParts } from "#domain/parts.ts";
import { formatBytes, HOUR_MS } from "#domain/units.ts";
import { ABANDONED_AFTER_MS } from "#domain/upload-life.ts";
import type {
  CompleteUploadAnswer,
  CurrentUser,
  Receipt,
  SignPartsAnswer,
  StartUploadAnswer,
  StartUploadRequest,
} from "#domain/wire.ts";
import type { Refusal } from "#durable-objects/upload-session.ts";
import type { Services } from "../context.ts";
import { findFileByDownloadId, releaseFile, reserveFile, type FileRow } from "../db/files.ts";
import { findMonthTotals } from "../db/users.ts";
import { contentUrl, shareUrl, toIso } from "../links.ts";
import { incomingKey, objectKey } from "../storage/keys.ts";

/** The cron asks after an upload only once its own alarm has had an hour to act. */
const CRON_GRACE_MS = HOUR_MS;

/**
 * Starts an upload: checks it against the plan, takes its size from the month, and answers where the bytes go.
 * @param now epoch milliseconds
 * @throws AppError FILE_TOO_LARGE, or PLAN_LIMIT_EXCEEDED with `planLimitExceeded`
 */
export async function startUpload(
  services: Services,
  user: CurrentUser,
  request: StartUploadRequest,
  now: number,
): Promise<StartUploadAnswer> {
  const lifetime: Lifetime = {
    expiration: request.expiration,
    expirationChosen: request.expirationChosen,
    sizeBytes: request.fileSize,
  };
  checkPlan(user, lifetime);
  const id = crypto.randomUUID();
  const file = {
    id,
    userId: user.id,
    filename: request.filename,
    mimeType: mimeTypeOf(request.filename, request.fileType),
    s3Key: objectKey(id),
    downloadId: newDownloadId(),
    lifetime,
    createdAt: now,
    abandonAt: now + ABANDONED_AFTER_MS + CRON_GRACE_MS,
  };
  if (!(await reserveFile(services.db, file, limitFor(user.planType))))
    throw await monthIsFull(services, user, lifetime);
  const r2UploadId = await openSession(services, file);
  return {
    presignedUrl: await firstUrl(services, file, r2UploadId),
    uploadId: id,
    downloadId: file.downloadId,
    shareUrl: shareUrl(services.settings, file.downloadId),
    fileData: { contentType: file.mimeType },
    expiresAt: toIso(expiresAt(lifetime, now)),
    ...(r2UploadId === null ? {} : { multipart: planParts(lifetime.sizeBytes) }),
  };
}

/**
 * Signs part URLs, at most a hundred, and takes receipts on the way.
 * @throws AppError FILE_NOT_FOUND, UPLOAD_CLOSED, UPLOAD_FINISHED, or BAD_REQUEST for a part that is not in the plan
 */
export async function signParts(
  services: Services,
  user: CurrentUser,
  request: { downloadId: string; parts: number[]; receipts: Receipt[] },
): Promise<SignPartsAnswer> {
  const file = await getOwnUpload(services, user, request.downloadId);
  if (!isMultipart(file.size)) return resignSinglePut(services, file);
  const { partCount } = planParts(file.size);
  const outside = [...request.parts, ...request.receipts.map(({ part }) => part)].find((part) => part > partCount);
  if (outside !== undefined) {
    throw new AppError("BAD_REQUEST", { message: `There is no part ${outside}: this file has ${partCount} parts.` });
  }
  const session = await sessionOf(services, file.id).prepareSigning(request.receipts);
  if (!session.ok) throw refusal(session);
  const key = objectKey(file.id);
  const urls = await Promise.all(
    request.parts.map(async (part) => ({
      part,
      url: await services.signer.partUrl(key, session.r2UploadId, part, partLength(file.size, part)),
    })),
  );
  return { urls, received: session.received };
}

/**
 * Turns what arrived into a file with a working link. Idempotent.
 * @throws AppError FILE_NOT_FOUND, UPLOAD_CLOSED, UPLOAD_INCOMPLETE, OBJECT_MISMATCH, STORAGE_UNAVAILABLE
 */
export async function completeUpload(
  services: Services,
  user: CurrentUser,
  request: { downloadId: string; receipts: Receipt[] },
): Promise<CompleteUploadAnswer> {
  const file = await getOwnFile(services, user, request.downloadId);
  if (file.status === "ready") return completed(services, file, file.expiresAt?.getTime() ?? null);
  if (file.status !== "uploading") throw new AppError("UPLOAD_CLOSED");
  const result = await sessionOf(services, file.id).complete(request.receipts);
  if (!result.ok) throw refusal(result);
  return completed(services, file, result.expiresAt);
}

/**
 * Discards an unfinished upload and gives its size back to the month. Cancelling twice is fine.
 * @throws AppError FILE_NOT_FOUND, UPLOAD_FINISHED
 */
export async function cancelUpload(services: Services, user: CurrentUser, downloadId: string): Promise<void> {
  const file = await getOwnFile(services, user, downloadId);
  if (file.status === "ready") throw new AppError("UPLOAD_FINISHED");
  if (file.status !== "uploading") return;
  const result = await sessionOf(services, file.id).cancel();
  if (result.ok) return;
  if (result.code !== "NO_UPLOAD") throw refusal(result);
  await releaseFile(services.db, file.id, "cancelled");
}

/** The Durable Object of that upload. Only ids that D1 knows may be passed, so guessing creates nothing. */
export function sessionOf({ uploads }: Services, fileId: string) {
  return uploads.get(uploads.idFromName(fileId));
}

function checkPlan(user: CurrentUser, lifetime: Lifetime): void {
  const limits = limitFor(user.planType);
  if (lifetime.sizeBytes > LARGEST_FILE_BYTES) throw new AppError("FILE_TOO_LARGE");
  if (lifetime.sizeBytes > limits.fileSizeBytes) {
    throw planLimit(
      `Your plan takes files up to ${formatBytes(limits.fileSizeBytes)}. Choose a larger plan for this one.`,
    );
  }
  if (!allows(user.planType, lifetime.expiration)) {
    const { name } = planThatAllows(lifetime.expiration);
    throw planLimit(`Keeping a file for ${expirationLabel(lifetime.expiration)} needs the ${name} plan.`);
  }
}

async function monthIsFull(services: Services, user: CurrentUser, { sizeBytes }: Lifetime): Promise<AppError> {
  const limits = limitFor(user.planType);
  const totals = await findMonthTotals(services.db, user.id);
  if (totals && totals.transfers >= limits.monthTransfers) {
    return planLimit(`You have used all ${limits.monthTransfers} transfers of this month.`);
  }
  const left = limits.monthBytes - (totals?.bytes ?? 0);
  return planLimit(
    `This file has ${formatBytes(sizeBytes)}, and ${formatBytes(left)} of this month's ${formatBytes(limits.monthBytes)} are left.`,
  );
}

function planLimit(message: string): AppError {
  return new AppError("PLAN_LIMIT_EXCEEDED", { message, planLimitExceeded: true });
}

async function openSession(
  services: Services,
  file: { id: string; filename: string; mimeType: string; lifetime: Lifetime },
): Promise<string | null> {
  const plan = { fileId: file.id, filename: file.filename, contentType: file.mimeType, lifetime: file.lifetime };
  try {
    const started = await sessionOf(services, file.id).start(plan);
    if (started.ok) return started.r2UploadId;
  } catch (error) {
    console.error({ event: "upload.start_failed", uploadId: file.id, error: String(error) });
  }
  await releaseFile(services.db, file.id, "failed");
  throw new AppError("STORAGE_UNAVAILABLE");
}

function firstUrl(
  { signer }: Services,
  file: { id: string; mimeType: string; lifetime: { sizeBytes: number } },
  r2UploadId: string | null,
): Promise<string> {
  const { sizeBytes } = file.lifetime;
  if (r2UploadId !== null) return signer.partUrl(objectKey(file.id), r2UploadId, 1, partLength(sizeBytes, 1));
  return signer.putUrl(incomingKey(file.id), { contentType: file.mimeType, contentLength: sizeBytes });
}

/** A small file has one part, and its URL may have been refused too. */
async function resignSinglePut(services: Services, file: FileRow): Promise<SignPartsAnswer> {
  const upload = { id: file.id, mimeType: file.mimeType, lifetime: { sizeBytes: file.size } };
  return { urls: [{ part: 1, url: await firstUrl(services, upload, null) }], received: [] };
}

async function getOwnFile({ db }: Services, user: CurrentUser, downloadId: string): Promise<FileRow> {
  const file = await findFileByDownloadId(db, downloadId);
  if (!file || file.userId !== user.id || file.deletedAt) throw new AppError("FILE_NOT_FOUND");
  return file;
}

async function getOwnUpload(services: Services, user: CurrentUser, downloadId: string): Promise<FileRow> {
  const file = await getOwnFile(services, user, downloadId);
  if (file.status === "ready") throw new AppError("UPLOAD_FINISHED");
  if (file.status !== "uploading") throw new AppError("UPLOAD_CLOSED");
  return file;
}

function completed({ settings }: Services, file: FileRow, expiresAtMs: number | null): CompleteUploadAnswer {
  return {
    downloadId: file.downloadId,
    shareUrl: shareUrl(settings, file.downloadId),
    downloadUrl: contentUrl(settings, file.downloadId),
    filename: file.filename,
    size: file.size,
    expiresAt: toIso(expiresAtMs),
  };
}

function refusal({ code, missing }: Refusal): AppError {
  const known: ErrorCode = code === "NO_UPLOAD" ? "UPLOAD_CLOSED" : code;
  return new AppError(known, missing ? { missing } : {});
}

/** 128 random bits as base64url (decisions, The link is the secret). */
function newDownloadId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");
}
