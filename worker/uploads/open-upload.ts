import { AppError } from "#domain/errors.ts";
import type { Lifetime } from "#domain/expiry.ts";
import type { DownloadNotice } from "#domain/notices/when-mailed.ts";
import { HOUR_MS } from "#domain/units.ts";
import { ABANDONED_AFTER_MS, SILENT_START_MS } from "#domain/upload-lifetime.ts";
import type { StartResult } from "#durable-objects/upload/results.ts";
import type { UploadPlan } from "#durable-objects/upload/state.ts";
import type { Services } from "../services.ts";
import type { FileRow } from "../db/files.ts";
import type { FileSender, NewFile } from "../db/new-files.ts";
import { releaseFile, withdrawFile } from "../db/uploads.ts";
import type { StoredGuards } from "../links/guards-at-start.ts";
import { logError } from "../log.ts";
import { objectKey } from "../storage/keys.ts";
import { reserveQuota } from "./quota.ts";
import { sessionOf } from "../callers/sessions.ts";
import type { StartKey } from "./start-key.ts";
import { keyIdOf, quotaHolderOf, type Caller } from "../callers/caller.ts";

/** The cron waits this much longer than the upload's own alarm. */
const CRON_GRACE_MS = HOUR_MS;

export interface NewUpload {
  filename: string;
  mimeType: string;
  lifetime: Lifetime;
  guards: StoredGuards;
  /** Absent for the account's choice. */
  notify?: DownloadNotice | undefined;
  lastModified?: number | null;
  fingerprint?: string | null;
  /** The sender's word, in hex. */
  sha256?: string | null;
  startKey?: StartKey | null;
  /** Null for a single PUT. */
  partSizeBytes: number | null;
  /** Null for an upload that does not come in chunks. */
  chunkSizeBytes: number | null;
  /** For an upload to which bytes are appended: SHA-256 of the secret in its address. */
  appended?: { secretHash: string; isOpenEnded: boolean; transferLabel: string | null; tusMetadata: string };
  /** For bytes that are in R2 already: the upload's id and its multipart upload's. */
  stored?: { id: string; r2UploadId: string | null };
  /** Epoch milliseconds. */
  now: number;
}

export interface OpenedUpload {
  kind: "opened";
  file: NewFile;
  r2UploadId: string | null;
}

export type OpenResult =
  | OpenedUpload
  /** No upload was opened. Unfinished uploads of the same file, newest first. */
  | { kind: "matching"; files: FileRow[] };

/**
 * Leaves nothing behind on an error. @param rateLimit settles when the rate limit has been checked
 * @throws AppError PLAN_LIMIT_EXCEEDED, RATE_LIMITED, STORAGE_UNAVAILABLE
 */
export async function openUpload(
  services: Services,
  caller: Caller,
  upload: NewUpload,
  rateLimit: Promise<void> = Promise.resolve(),
): Promise<OpenedUpload> {
  const result = await open(services, caller, upload, rateLimit, false);
  if (result.kind !== "opened") throw new Error("matching uploads were not requested");
  return result;
}

export function openUnlessMatching(
  services: Services,
  caller: Caller,
  upload: NewUpload,
  rateLimit: Promise<void>,
): Promise<OpenResult> {
  return open(services, caller, upload, rateLimit, true);
}

async function open(
  services: Services,
  caller: Caller,
  upload: NewUpload,
  rateLimit: Promise<void>,
  unlessMatching: boolean,
): Promise<OpenResult> {
  const file = newFile(caller, upload);
  const session = sessionOf(services, file);
  const result = await openSession<StartResult>(services, caller, file, rateLimit, unlessMatching, {
    start: async () => session.start(uploadPlan(file, upload), upload.stored?.r2UploadId ?? null),
    cancel: () => session.cancel(),
  });
  if (result.kind === "matching") return result;
  if (!result.started.ok) throw new AppError("STORAGE_UNAVAILABLE");
  return { kind: "opened", file, r2UploadId: result.started.r2UploadId };
}

interface SessionCalls<Started> {
  start(): Promise<Started>;
  cancel(): Promise<unknown>;
}

export type OpenedSession<Started> = { kind: "opened"; started: Started } | { kind: "matching"; files: FileRow[] };

/**
 * Checks the rate limit, reserves the quota and starts the session in parallel. If one fails, undoes the others.
 * @returns what the session answered, also a rejection, after which nothing is left
 */
export async function openSession<Started extends { ok: true } | { ok: false; code: string }>(
  services: Services,
  caller: Caller,
  file: NewFile,
  rateLimit: Promise<void>,
  unlessMatching: boolean,
  session: SessionCalls<Started>,
): Promise<OpenedSession<Started>> {
  const [allowed, reservation, start] = await Promise.allSettled([
    rateLimit,
    reserveQuota(services, caller, file, unlessMatching),
    session.start(),
  ]);
  const started = start.status === "fulfilled" ? start.value : null;
  const reserved = reservation.status === "fulfilled" ? reservation.value : null;
  if (allowed.status === "fulfilled" && reserved?.kind === "reserved" && started?.ok) {
    return { kind: "opened", started };
  }
  if (start.status === "rejected") {
    logError("upload.start_failed", start.reason, { uploadId: file.id });
  }
  if (reserved?.kind === "reserved") {
    const isRejected =
      allowed.status === "rejected" || (started?.ok === false && started.code !== "STORAGE_UNAVAILABLE");
    if (isRejected) await withdrawFile(services.db, file.id);
    else await releaseFile(services.db, file.id, "failed", "STORAGE_UNAVAILABLE");
  }
  // If the session cannot be reached now, its alarm ends it as abandoned.
  if (started) await session.cancel().catch(() => undefined);
  if (allowed.status === "rejected") throw allowed.reason;
  if (reservation.status === "rejected") throw reservation.reason;
  if (reservation.value.kind === "matching") return reservation.value;
  if (started) return { kind: "opened", started };
  throw new AppError("STORAGE_UNAVAILABLE");
}

function newFile(caller: Caller, upload: NewUpload): NewFile {
  const id = upload.stored?.id ?? crypto.randomUUID();
  return {
    ...newLink(caller, id, upload.now, upload.startKey),
    ...(upload.appended && {
      uploadTokenHash: upload.appended.secretHash,
      isOpenEnded: upload.appended.isOpenEnded,
      transferLabel: upload.appended.transferLabel,
      tusMetadata: upload.appended.tusMetadata,
    }),
    filename: upload.filename,
    mimeType: upload.mimeType,
    s3Key: objectKey(id),
    lifetime: upload.lifetime,
    lastModified: upload.lastModified ?? null,
    fingerprint: upload.fingerprint ?? null,
    sha256: upload.sha256 ?? null,
    entryCount: null,
    message: null,
    notify: upload.notify ?? null,
    ...upload.guards,
  };
}

/** What every new link has. @param now epoch milliseconds @param startKey only of a program */
export function newLink(caller: Caller, id: string, now: number, startKey: StartKey | null = null) {
  return {
    id,
    userId: quotaHolderOf(caller),
    uploadTokenHash: "tokenHash" in caller ? caller.tokenHash : null,
    apiKeyId: keyIdOf(caller),
    startKey: startKey?.key ?? null,
    startDigest: startKey?.digest ?? null,
    downloadId: newDownloadId(),
    isOpenEnded: false,
    transferLabel: null,
    tusMetadata: null,
    sender: senderOf(caller),
    createdAt: now,
    abandonAt: now + (caller.kind === "sender" ? SILENT_START_MS : ABANDONED_AFTER_MS) + CRON_GRACE_MS,
  };
}

function senderOf(caller: Caller): FileSender | null {
  if (caller.kind !== "sender") return null;
  const { id: requestId, network, sender } = caller.request;
  return { requestId, network, name: null, email: null, note: null, ...sender };
}

function uploadPlan(file: NewFile, { partSizeBytes, chunkSizeBytes, appended }: NewUpload): UploadPlan {
  const { id: fileId, filename, mimeType: contentType, lifetime } = file;
  const sizes = { partSizeBytes, chunkSizeBytes };
  const isAppended = appended !== undefined;
  const origin = file.sender === null ? {} : { isThroughRequest: true };
  const plan = {
    fileId,
    filename,
    contentType,
    lifetime,
    ...sizes,
    isSealed: file.seal !== null,
    isAppended,
    ...origin,
  };
  return appended?.isOpenEnded ? { ...plan, isOpenEnded: true } : plan;
}

/** 128 random bits as base64url (decision 010). */
export function newDownloadId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");
}
