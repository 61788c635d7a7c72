import { AppError } from "#domain/errors.ts";
import { safeFilename } from "#domain/safe-filename.ts";
import type { AdminFile, AdminUserFilesQuery, AdminViewer, ExpiredFilesQuery, Paged } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import { deleteAnyFile, findAnyFile, listExpired, takeFileDown, type TakenDown } from "../db/admin-files.ts";
import { findUser } from "../db/admin-users.ts";
import { listFilesOf, markObjectsDeleted, type FileRow } from "../db/files.ts";
import { findEmail } from "../db/users.ts";
import { toIso } from "../links.ts";
import { toListedFile } from "../files/describe.ts";
import { logError } from "../log.ts";
import { fileTakenDownMessage } from "../mail/messages/files.tsx";
import { localizedError } from "../errors/translate-error.ts";
import { deleteObjects } from "../storage/objects.ts";
import { paged } from "./paging.ts";

/** A page of somebody's finished files. @param now epoch milliseconds @throws AppError NOT_FOUND */
export async function listUserFiles(
  { db }: Services,
  userId: string,
  { page = 1, q = "", sort = "newest" }: AdminUserFilesQuery,
  now: number,
): Promise<Paged<AdminFile>> {
  const [user, { rows, total }] = await Promise.all([
    findUser(db, userId),
    listFilesOf(db, userId, { page, search: q, order: sort }),
  ]);
  if (!user) throw localizedError("NOT_FOUND", "noSuchUser", {});
  return paged(
    rows.map((row) => describeFile(row, now)),
    page,
    total,
  );
}

/** A page of what has expired: everybody's, deleted ones too. @param now epoch milliseconds */
export async function listExpiredFiles(
  { db }: Services,
  query: ExpiredFilesQuery,
  now: number,
): Promise<Paged<AdminFile>> {
  const { rows, total } = await listExpired(db, query, now);
  return paged(
    rows.map((row) => describeFile(row, now)),
    query.page,
    total,
  );
}

/** One file by its id, its download id or its link. @param now epoch milliseconds @throws AppError FILE_NOT_FOUND */
export async function getAnyFile({ db }: Services, wanted: string, now: number): Promise<AdminFile> {
  const named = /\/download\/([^/?#]+)/.exec(wanted)?.[1] ?? wanted;
  const file = await findAnyFile(db, named);
  if (!file) throw new AppError("FILE_NOT_FOUND");
  return describeFile(file, now);
}

export function describeFile(file: FileRow, now: number): AdminFile {
  return {
    ...toListedFile(file, now),
    userId: file.userId,
    s3DeletedAt: toIso(file.s3DeletedAt?.getTime() ?? null),
    adminDeleted: file.adminDeleted,
    takedownReason: file.takedownReason,
  };
}

/**
 * Deletes anybody's file: its link ends at once, its bytes now or with the next sweep.
 * @param now epoch milliseconds
 * @throws AppError FILE_NOT_FOUND
 */
export async function deleteFileAsAdmin(
  services: Services,
  admin: AdminViewer,
  id: string,
  now: number,
): Promise<void> {
  const file = await findAnyFile(services.db, id);
  const entry = {
    admin,
    action: "file.delete",
    target: id,
    details: file ? safeFilename(file.filename) : "",
    at: now,
  } as const;
  const s3Key = await deleteAnyFile(services.db, id, entry);
  if (s3Key === null) throw new AppError("FILE_NOT_FOUND");
  await removeBytes(services, { id, s3Key }, now);
}

/**
 * Takes a file down: its link ends at once, and its owner is told why.
 * @param now epoch milliseconds
 * @throws AppError FILE_NOT_FOUND, FILE_EXPIRED
 */
export async function takeDown(
  services: Services,
  admin: AdminViewer,
  id: string,
  reason: string,
  now: number,
): Promise<void> {
  const entry = { admin, action: "file.take-down", target: id, details: reason, at: now } as const;
  const taken = await takeFileDown(services.db, id, reason, entry);
  if (!taken) throw new AppError((await findAnyFile(services.db, id)) ? "FILE_EXPIRED" : "FILE_NOT_FOUND");
  await followTakeDown(services, taken, reason, now);
}

/** What follows once a file is taken down: its owner is told, and its bytes go. @param now epoch milliseconds */
export async function followTakeDown(services: Services, taken: TakenDown, reason: string, now: number): Promise<void> {
  const owner = taken.userId === null ? null : await findEmail(services.db, taken.userId);
  if (owner !== null) {
    await services.outbox.post(
      fileTakenDownMessage(owner, safeFilename(taken.filename), reason, services.settings.origin),
    );
  }
  await removeBytes(services, taken, now);
}

async function removeBytes(
  { db, bucket }: Services,
  { id, s3Key }: { id: string; s3Key: string },
  now: number,
): Promise<void> {
  try {
    await deleteObjects(bucket, [s3Key]);
    await markObjectsDeleted(db, [id], now);
  } catch (error) {
    logError("file.delete_deferred", error, { fileId: id });
  }
}
