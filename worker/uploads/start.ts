import { AppError } from "#domain/errors.ts";
import { expiresAt, type Lifetime } from "#domain/expiry.ts";
import { mimeTypeOf } from "#domain/mime.ts";
import { isMultipart, partLength, PARTS_SIGNED_AT_START, planParts } from "#domain/parts.ts";
import { limitFor } from "#domain/plans.ts";
import { HOUR_MS } from "#domain/units.ts";
import { ABANDONED_AFTER_MS } from "#domain/upload-life.ts";
import type { StartUploadAnswer, StartUploadRequest } from "#domain/wire.ts";
import type { UploadPlan } from "#durable-objects/upload-state.ts";
import { renewMonth } from "../billing/months.ts";
import type { Services } from "../context.ts";
import { findBilling } from "../db/billing.ts";
import { countUnfinished, releaseFile, reserveFile, type NewFile } from "../db/uploads.ts";
import { shareUrl, toIso } from "../links.ts";
import { logFault } from "../log.ts";
import { incomingKey, objectKey } from "../storage/keys.ts";
import { checkPlan, mostUnfinished, noRoom, tooManyUnfinished } from "./plan-check.ts";
import { resumeUpload } from "./resume.ts";
import { sessionOf } from "./sessions.ts";
import type { Uploader } from "./uploader.ts";

/** The cron asks after an upload only once its own alarm has had an hour to act. */
const CRON_GRACE_MS = HOUR_MS;

/**
 * Starts an upload: checks it against the plan, takes its size from the month, and answers where the bytes go. The file
 * of an upload that broke off goes on from the parts that storage has.
 * @param now epoch milliseconds
 * @throws AppError FILE_TOO_LARGE, RATE_LIMITED, STORAGE_UNAVAILABLE, or PLAN_LIMIT_EXCEEDED with `planLimitExceeded`
 */
export async function startUpload(
  services: Services,
  uploader: Uploader,
  request: StartUploadRequest,
  now: number,
): Promise<StartUploadAnswer> {
  const lifetime: Lifetime = {
    expiration: request.expiration,
    expirationChosen: request.expirationChosen,
    sizeBytes: request.fileSize,
  };
  checkPlan(uploader, lifetime);
  const resumed = await resumeUpload(services, uploader, "parts", request, lifetime);
  if (resumed) return answerStart(services, resumed.file, lifetime, resumed, now);
  const inParts = isMultipart(lifetime.sizeBytes);
  const { file, r2UploadId } = await openUpload(services, uploader, {
    ...request,
    mimeType: mimeTypeOf(request.filename, request.fileType),
    lifetime,
    partSizeBytes: inParts ? planParts(lifetime.sizeBytes).partSizeBytes : null,
    chunkSizeBytes: null,
    now,
  });
  return answerStart(services, file, lifetime, { r2UploadId, received: [] }, now);
}

export interface UploadOpening {
  filename: string;
  mimeType: string;
  lifetime: Lifetime;
  lastModified?: number | null;
  fingerprint?: string | null;
  /** Null for a single PUT. */
  partSizeBytes: number | null;
  /** Null for an upload that does not come in chunks. */
  chunkSizeBytes: number | null;
  /** The id, and the store's, of a multipart upload that has been opened already. */
  adopted?: { id: string; r2UploadId: string | null };
  /** Epoch milliseconds. */
  now: number;
}

/**
 * Takes the file's size from the month, adds its row and opens its Durable Object.
 * @throws AppError PLAN_LIMIT_EXCEEDED, RATE_LIMITED, STORAGE_UNAVAILABLE; nothing is left behind
 */
export async function openUpload(
  services: Services,
  uploader: Uploader,
  opening: UploadOpening,
): Promise<{ file: NewFile; r2UploadId: string | null }> {
  const id = opening.adopted?.id ?? crypto.randomUUID();
  const file: NewFile = {
    id,
    userId: uploader.userId,
    uploadTokenHash: uploader.tokenHash,
    filename: opening.filename,
    mimeType: opening.mimeType,
    s3Key: objectKey(id),
    downloadId: newDownloadId(),
    lifetime: opening.lifetime,
    lastModified: opening.lastModified ?? null,
    fingerprint: opening.fingerprint ?? null,
    createdAt: opening.now,
    abandonAt: opening.now + ABANDONED_AFTER_MS + CRON_GRACE_MS,
  };
  await reserveOrRelease(services, uploader, file);
  const plan: UploadPlan = {
    fileId: id,
    filename: file.filename,
    contentType: file.mimeType,
    lifetime: file.lifetime,
    partSizeBytes: opening.partSizeBytes,
    chunkSizeBytes: opening.chunkSizeBytes,
  };
  try {
    const started = await sessionOf(services, id).start(plan, opening.adopted?.r2UploadId ?? null);
    if (started.ok) return { file, r2UploadId: started.r2UploadId };
  } catch (error) {
    logFault("upload.start_failed", error, { uploadId: id });
  }
  await releaseFile(services.db, id, "failed", "STORAGE_UNAVAILABLE");
  throw new AppError("STORAGE_UNAVAILABLE");
}

/** A reservation whose answer was lost may have gone through: nobody would use it. @throws what `reserve` throws */
async function reserveOrRelease(services: Services, uploader: Uploader, file: NewFile): Promise<void> {
  try {
    await reserve(services, uploader, file);
  } catch (error) {
    if (!(error instanceof AppError)) await releaseFile(services.db, file.id, "failed", "STORAGE_UNAVAILABLE");
    throw error;
  }
}

/**
 * Takes the file from its owner's month: from the next one, where the month has ended and nobody has begun it yet.
 * @throws AppError PLAN_LIMIT_EXCEEDED, RATE_LIMITED
 */
async function reserve(services: Services, uploader: Uploader, file: NewFile): Promise<void> {
  const { db } = services;
  const most = mostUnfinished(services, uploader);
  if (await reserveFile(db, file, limitFor(uploader.plan), most, uploader)) return;
  if (uploader.userId !== null && (await countUnfinished(db, uploader.userId)) >= most) throw tooManyUnfinished(most);
  const row = uploader.userId === null ? null : await findBilling(services.db, uploader.userId);
  if (!row || row.periodEnd.getTime() > file.createdAt) throw noRoom(uploader.plan, file.lifetime, row);
  await renewMonth(services, row, file.createdAt);
  const renewed = await findBilling(services.db, row.userId);
  const plan = renewed?.planType ?? uploader.plan;
  checkPlan({ ...uploader, plan }, file.lifetime);
  if (await reserveFile(db, file, limitFor(plan), mostUnfinished(services, { ...uploader, plan }), uploader)) return;
  throw noRoom(plan, file.lifetime, renewed);
}

interface UploadProgress {
  r2UploadId: string | null;
  received: number[];
}

async function answerStart(
  services: Services,
  file: { id: string; downloadId: string; mimeType: string },
  lifetime: Lifetime,
  { r2UploadId, received }: UploadProgress,
  now: number,
): Promise<StartUploadAnswer> {
  const plan = planParts(lifetime.sizeBytes);
  const missing = missingFrom(plan.partCount, new Set(received)).slice(0, PARTS_SIGNED_AT_START);
  const sign = (part: number) => signPart(services, file, lifetime.sizeBytes, r2UploadId, part);
  const urls = await Promise.all(missing.map(async (part) => ({ part, url: await sign(part) })));
  return {
    presignedUrl: urls[0]?.url ?? "",
    urls,
    received,
    uploadId: file.id,
    downloadId: file.downloadId,
    shareUrl: shareUrl(services.settings, file.downloadId),
    fileData: { contentType: file.mimeType },
    expiresAt: toIso(expiresAt(lifetime, now)),
    ...(r2UploadId === null ? {} : { multipart: plan }),
  };
}

function missingFrom(partCount: number, received: ReadonlySet<number>): number[] {
  return Array.from({ length: partCount }, (_, index) => index + 1).filter((part) => !received.has(part));
}

/** Presigns a small file's PUT, or one part of a larger one. */
export function signPart(
  { signer }: Services,
  file: { id: string; mimeType: string },
  sizeBytes: number,
  r2UploadId: string | null,
  part: number,
): Promise<string> {
  if (r2UploadId !== null) return signer.partUrl(objectKey(file.id), r2UploadId, part, partLength(sizeBytes, part));
  return signer.putUrl(incomingKey(file.id), { contentType: file.mimeType, contentLength: sizeBytes });
}

/** 128 random bits as base64url (decisions, The link is the secret). */
function newDownloadId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");
}
