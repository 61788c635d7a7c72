import { AppError } from "#domain/errors.ts";
import { expiresAt, isExpired, type Expiration } from "#domain/expiry.ts";
import type { PlanId } from "#domain/plans.ts";
import type {
  ChangeFileRequest,
  CurrentUser,
  FilesPage,
  FilesQuery,
  ListedFile,
  ShareFileRequest,
} from "#domain/wire.ts";
import type { Services } from "../services.ts";
import type { Database } from "../db/client.ts";
import {
  updateFile,
  FILES_PER_PAGE,
  findFileById,
  listFilesOf,
  markObjectsDeleted,
  revokeFile,
  type FileRow,
} from "../db/files.ts";
import { shareUrl } from "../links.ts";
import { logError } from "../log.ts";
import { toListedFile } from "./listed-file.ts";
import { fileSharedMessage } from "../mail/messages/files.tsx";
import { localizedError } from "../errors/translate-error.ts";
import { deleteObjects } from "../storage/objects.ts";
import { checkExpiration } from "../uploads/check-plan.ts";

export async function listFiles(
  { db }: Services,
  user: CurrentUser,
  { page = 1, q = "", sort = "newest" }: FilesQuery,
  now: number,
): Promise<FilesPage> {
  const { rows, total } = await listFilesOf(db, user.id, { page, search: q, order: sort });
  const files = rows.map((file) => describe(file, now));
  return { files, page, pages: Math.max(1, Math.ceil(total / FILES_PER_PAGE)), total };
}

function describe(file: FileRow, now: number): ListedFile {
  return { ...toListedFile(file, now), expiration: file.expiration };
}

/**
 * A lifetime counts from the end of the upload, so repeated changes cannot exceed the plan's longest (decision 008).
 * @throws AppError FILE_NOT_FOUND, FILE_EXPIRED, BAD_REQUEST if the new expiry is in the past, PLAN_LIMIT_EXCEEDED
 */
export async function changeFile(
  { db }: Services,
  user: CurrentUser,
  id: string,
  { filename, expiration }: ChangeFileRequest,
  now: number,
): Promise<ListedFile> {
  const file = await getOwnReadyFile(db, user, id);
  const expiry = expiration === undefined ? undefined : newExpiry(file, user.planType, expiration, now);
  const change = { ...(filename === undefined ? {} : { filename }), ...(expiry ? { expiry } : {}) };
  if (!(await updateFile(db, id, user.id, change, now))) throw new AppError("FILE_EXPIRED");
  let { expiresAt } = file;
  if (expiry) expiresAt = expiry.expiresAt === null ? null : new Date(expiry.expiresAt);
  return describe({ ...file, ...change, expiration: expiration ?? file.expiration, expiresAt }, now);
}

function newExpiry(file: FileRow, plan: PlanId, expiration: Expiration, now: number) {
  const lifetime = { expiration, expirationChosen: true, sizeBytes: file.size };
  checkExpiration(plan, expiration);
  const expiresAtMs = expiresAt(lifetime, (file.uploadedAt ?? file.createdAt).getTime());
  if (isExpired(expiresAtMs, now)) {
    throw localizedError("BAD_REQUEST", "hasPassed", { expiration: { expiration } }, { field: "expiration" });
  }
  return { expiration, expiresAt: expiresAtMs };
}

/** @throws AppError FILE_NOT_FOUND, FILE_EXPIRED */
export async function shareFile(
  { db, outbox, settings }: Services,
  user: CurrentUser,
  id: string,
  { email, note }: ShareFileRequest,
  now: number,
): Promise<void> {
  const file = await getOwnReadyFile(db, user, id);
  const { expiresAt, filename } = describe(file, now);
  if (isExpired(file.expiresAt?.getTime() ?? null, now)) throw new AppError("FILE_EXPIRED");
  const link = shareUrl(settings, file.downloadId);
  await outbox.post(fileSharedMessage(email, { sender: user.email, filename, size: file.size, expiresAt, link, note }));
}

async function getOwnReadyFile(db: Database, user: CurrentUser, id: string): Promise<FileRow> {
  const file = await findFileById(db, id);
  if (file?.userId !== user.id || file.status !== "ready" || file.deletedAt) throw new AppError("FILE_NOT_FOUND");
  return file;
}

/** Ends the link at once; if the object cannot be deleted now, the sweep deletes it. @throws AppError FILE_NOT_FOUND */
export async function deleteFile({ db, bucket }: Services, user: CurrentUser, id: string, now: number): Promise<void> {
  const s3Key = await revokeFile(db, id, user.id, now);
  if (s3Key === null) throw new AppError("FILE_NOT_FOUND");
  try {
    await deleteObjects(bucket, [s3Key]);
    await markObjectsDeleted(db, [id], now);
  } catch (error) {
    logError("file.delete_deferred", error, { fileId: id });
  }
}
