import { AppError } from "#domain/errors.ts";
import { expiresAt, type Lifetime } from "#domain/expiry.ts";
import { mimeTypeOf } from "#domain/mime.ts";
import { isMultipart, partLength, PARTS_SIGNED_AT_START, planParts } from "#domain/parts.ts";
import { limitFor } from "#domain/plans.ts";
import { HOUR_MS } from "#domain/units.ts";
import { ABANDONED_AFTER_MS } from "#domain/upload-lifetime.ts";
import type { StartUploadAnswer, StartUploadRequest } from "#domain/wire.ts";
import type { UploadPlan } from "#durable-objects/upload-state.ts";
import { renewMonth } from "../billing/months.ts";
import type { Services } from "../services.ts";
import { findBilling } from "../db/billing.ts";
import {
  countUnfinished,
  releaseFile,
  reserveFile,
  withdrawFile,
  type NewFile,
  type Reservation,
} from "../db/uploads.ts";
import type { FileRow } from "../db/files.ts";
import { shareUrl, toIso } from "../links.ts";
import { logError } from "../log.ts";
import { incomingKey, objectKey } from "../storage/keys.ts";
import { checkPlan, maxUnfinished, quotaExceeded, tooManyUnfinished } from "./check-plan.ts";
import { isIdentifiable, resumeFirst } from "./resume.ts";
import { sessionOf } from "./sessions.ts";
import type { Uploader } from "./uploader.ts";

/** The cron asks after an upload only once its own alarm has had an hour to act. */
const CRON_GRACE_MS = HOUR_MS;

/**
 * Starts an upload: checks it against the plan, takes its size from the month, and answers where the bytes go. The file
 * of an upload that broke off goes on from the parts that storage has.
 * @param allowed settles when the limit on calls has been asked; nobody waits for it alone
 * @param now epoch milliseconds
 * @throws AppError FILE_TOO_LARGE, RATE_LIMITED, STORAGE_UNAVAILABLE, or PLAN_LIMIT_EXCEEDED with `planLimitExceeded`
 */
export async function startUpload(
  services: Services,
  uploader: Uploader,
  request: StartUploadRequest,
  allowed: Promise<void>,
  now: number,
): Promise<StartUploadAnswer> {
  const lifetime: Lifetime = {
    expiration: request.expiration,
    expirationChosen: request.expirationChosen,
    sizeBytes: request.fileSize,
  };
  await refusedCallFirst(allowed, () => {
    checkPlan(uploader, lifetime);
  });
  const inParts = isMultipart(lifetime.sizeBytes);
  const opening: UploadOpening = {
    ...request,
    mimeType: mimeTypeOf(request.filename, request.fileType),
    lifetime,
    partSizeBytes: inParts ? planParts(lifetime.sizeBytes).partSizeBytes : null,
    chunkSizeBytes: null,
    now,
  };
  const first = await tryToOpen(services, uploader, { ...opening, unlessTwins: isIdentifiable(request) }, allowed);
  const resumed =
    "matchingUploads" in first ? await resumeFirst(services, first.matchingUploads, "parts", lifetime) : null;
  if (resumed) return answerStart(services, resumed.file, lifetime, resumed, now);
  const { file, r2UploadId } = "matchingUploads" in first ? await openUpload(services, uploader, opening) : first;
  return answerStart(services, file, lifetime, { r2UploadId, received: [] }, now);
}

/** Checks something without waiting; where it refuses, the limit on calls is heard first. */
async function refusedCallFirst(allowed: Promise<void>, check: () => void): Promise<void> {
  try {
    check();
  } catch (error) {
    await allowed;
    throw error;
  }
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
  /** Whether an unfinished upload of that very file is to go on instead. */
  unlessTwins?: boolean;
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
): Promise<OpenedUpload> {
  const opened = await tryToOpen(services, uploader, opening, Promise.resolve());
  if ("matchingUploads" in opened) throw new Error("twins were not asked for");
  return opened;
}

interface OpenedUpload {
  file: NewFile;
  r2UploadId: string | null;
}

/**
 * Opens an upload in one wait: the limit on calls, the reservation and the Durable Object are asked side by side. Where
 * one of them refuses, what the others have begun is undone before the refusal is answered.
 */
async function tryToOpen(
  services: Services,
  uploader: Uploader,
  opening: UploadOpening,
  allowed: Promise<void>,
): Promise<OpenedUpload | { matchingUploads: FileRow[] }> {
  const file = fileOf(uploader, opening);
  const session = sessionOf(services, file.id);
  const [allowance, reservation, start] = await Promise.allSettled([
    allowed,
    reserveOrRelease(services, uploader, file, opening.unlessTwins ?? false),
    session.start(planOf(file, opening), opening.adopted?.r2UploadId ?? null),
  ]);
  const started = start.status === "fulfilled" && start.value.ok ? start.value : null;
  const reserved = reservation.status === "fulfilled" ? reservation.value : null;
  if (allowance.status === "fulfilled" && reserved?.kind === "reserved" && started) {
    return { file, r2UploadId: started.r2UploadId };
  }
  if (start.status === "rejected") {
    logError("upload.start_failed", start.reason, { uploadId: file.id });
  }
  if (reserved?.kind === "reserved") {
    if (allowance.status === "rejected") await withdrawFile(services.db, file.id);
    else await releaseFile(services.db, file.id, "failed", "STORAGE_UNAVAILABLE");
  }
  // One that cannot be reached now ends itself: it is abandoned.
  if (started) await session.cancel().catch(() => undefined);
  if (allowance.status === "rejected") throw allowance.reason;
  if (reservation.status === "rejected") throw reservation.reason;
  if (reservation.value.kind === "twins") return { matchingUploads: reservation.value.files };
  throw new AppError("STORAGE_UNAVAILABLE");
}

function fileOf(uploader: Uploader, opening: UploadOpening): NewFile {
  const id = opening.adopted?.id ?? crypto.randomUUID();
  return {
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
}

function planOf(file: NewFile, { partSizeBytes, chunkSizeBytes }: UploadOpening): UploadPlan {
  const { id: fileId, filename, mimeType: contentType, lifetime } = file;
  return { fileId, filename, contentType, lifetime, partSizeBytes, chunkSizeBytes };
}

/** A reservation whose answer was lost may have gone through: nobody would use it. @throws what `reserve` throws */
async function reserveOrRelease(
  services: Services,
  uploader: Uploader,
  file: NewFile,
  unlessTwins: boolean,
): Promise<Exclude<Reservation, { kind: "refused" }>> {
  try {
    return await reserve(services, uploader, file, unlessTwins);
  } catch (error) {
    if (!(error instanceof AppError)) await releaseFile(services.db, file.id, "failed", "STORAGE_UNAVAILABLE");
    throw error;
  }
}

/**
 * Takes the file from its owner's month: from the next one, where the month has ended and nobody has begun it yet.
 * @throws AppError PLAN_LIMIT_EXCEEDED, RATE_LIMITED
 */
async function reserve(
  services: Services,
  uploader: Uploader,
  file: NewFile,
  unlessTwins: boolean,
): Promise<Exclude<Reservation, { kind: "refused" }>> {
  const { db } = services;
  const most = maxUnfinished(services, uploader);
  const first = await reserveFile(db, file, limitFor(uploader.plan), most, uploader, unlessTwins);
  if (first.kind !== "refused") return first;
  if (uploader.userId !== null && (await countUnfinished(db, uploader.userId)) >= most) throw tooManyUnfinished(most);
  const row = uploader.userId === null ? null : await findBilling(services.db, uploader.userId);
  if (!row || row.periodEnd.getTime() > file.createdAt) throw quotaExceeded(uploader.plan, file.lifetime, row);
  await renewMonth(services, row, file.createdAt);
  const renewed = await findBilling(services.db, row.userId);
  const plan = renewed?.planType ?? uploader.plan;
  checkPlan({ ...uploader, plan }, file.lifetime);
  const mostNow = maxUnfinished(services, { ...uploader, plan });
  const again = await reserveFile(db, file, limitFor(plan), mostNow, uploader, unlessTwins);
  if (again.kind !== "refused") return again;
  throw quotaExceeded(plan, file.lifetime, renewed);
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
