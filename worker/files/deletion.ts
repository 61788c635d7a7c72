import { AppError } from "#domain/errors.ts";
import { isDeletion } from "#domain/protection/tokens.ts";
import { anySessionOf } from "../callers/sessions.ts";
import { findFileById, keepsSession, revokeFile, type FileRow, markObjectsDeleted } from "../db/files.ts";
import { logError } from "../log.ts";
import type { Services } from "../services.ts";
import { storedKeysOf, type StoredFile } from "../storage/keys.ts";
import { deleteManyObjects, MAX_DELETED_AT_ONCE } from "../storage/objects.ts";

/**
 * @param token from `issueDeletion`
 * @throws AppError FILE_NOT_FOUND for a wrong token, and once the file is deleted; LINK_UNAVAILABLE while its account is
 * suspended
 */
export async function findDeletable({ db, linkTokenKeys }: Services, id: string, token: string): Promise<FileRow> {
  if (!(await isDeletion(await linkTokenKeys(), id, token))) throw new AppError("FILE_NOT_FOUND");
  const file = await findFileById(db, id);
  if (file?.status !== "ready" || file.deletedAt) throw new AppError("FILE_NOT_FOUND");
  // While an account is suspended, nobody deletes what it was suspended for.
  if (file.suspendedAt !== null) throw new AppError("LINK_UNAVAILABLE");
  return file;
}

/**
 * Ends a file's link at once; if the bytes cannot be deleted now, the sweep deletes them.
 * @param now epoch milliseconds
 * @returns the link's download id
 * @throws as `findDeletable`
 */
export async function deleteByToken(services: Services, id: string, token: string, now: number): Promise<string> {
  const { userId, uploadTokenHash: tokenHash, downloadId } = await findDeletable(services, id, token);
  const stored = await revokeFile(services.db, id, { userId, tokenHash }, now);
  if (!stored) throw new AppError("FILE_NOT_FOUND");
  await deleteBytesOrDefer(services, stored, now);
  return downloadId;
}

/**
 * Deletes the bytes of files whose links have ended, and marks the rows. Leaves bytes that are kept for the authorities.
 * Idempotent. @param now epoch milliseconds
 */
export async function deleteBytes(services: Services, files: StoredFile[], now: number): Promise<void> {
  const deletable = files.filter(({ keptAt }) => keptAt === null);
  if (deletable.length === 0) return;
  await deleteStored(services, deletable);
  await markObjectsDeleted(services.db, deletable, now);
}

/**
 * Deletes the stored objects of files whose links have ended, and what their Durable Objects keep of them: lists of
 * files, and where pictures are stored. Idempotent. Mark the rows after this call: as long as the rows are not marked, a repetition
 * deletes what a crash has left.
 */
export async function deleteStored(services: Services, files: StoredFile[]): Promise<void> {
  await deleteManyObjects(services.bucket, files.flatMap(storedKeysOf));
  await Promise.all(files.filter(keepsSession).map((file) => anySessionOf(services, file).forget()));
}

/** Does what `deleteBytes` does. If the deletion fails, the sweep deletes the bytes. */
export async function deleteBytesOrDefer(services: Services, file: StoredFile, now: number): Promise<void> {
  try {
    await deleteBytes(services, [file], now);
  } catch (error) {
    logError("file.delete_deferred", error, { fileId: file.id });
  }
}

/**
 * Groups files so that one round of delete calls deletes a group's objects. A transfer with more objects than that is a
 * group of its own.
 */
export function groupByObjects<File extends StoredFile>(files: File[]): File[][] {
  const groups: File[][] = [];
  let room = 0;
  for (const file of files) {
    const objects = countObjects(file);
    const last = groups.at(-1);
    if (last && objects <= room) last.push(file);
    else groups.push([file]);
    room = (last && objects <= room ? room : MAX_DELETED_AT_ONCE) - objects;
  }
  return groups;
}

/** The most files with sessions in a group, because what each session keeps is deleted with a call of its own. */
const MAX_SESSIONS_IN_GROUP = 100;

/**
 * How many objects a file counts for in its group. A file with a session counts for more than it has, so that a group
 * has at most `MAX_SESSIONS_IN_GROUP`.
 */
export function countObjects(file: StoredFile): number {
  return Math.max(
    file.objectCount + file.pictureObjects,
    keepsSession(file) ? MAX_DELETED_AT_ONCE / MAX_SESSIONS_IN_GROUP : 1,
  );
}
