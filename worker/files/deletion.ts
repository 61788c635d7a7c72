import { AppError } from "#domain/errors.ts";
import { isDeletion } from "#domain/guards/tokens.ts";
import { findFileById, revokeFile, type FileRow } from "../db/files.ts";
import type { Services } from "../services.ts";
import { deleteBytesOrDefer } from "./delete-bytes.ts";

/** @param token from `issueDeletion` @throws AppError FILE_NOT_FOUND for a wrong token, and once the file is deleted */
export async function findDeletable({ db, guardKeys }: Services, id: string, token: string): Promise<FileRow> {
  if (!(await isDeletion(await guardKeys(), id, token))) throw new AppError("FILE_NOT_FOUND");
  const file = await findFileById(db, id);
  if (file?.status !== "ready" || file.deletedAt) throw new AppError("FILE_NOT_FOUND");
  return file;
}

/**
 * Ends the link at once; if the bytes cannot be deleted now, the sweep deletes them. @param now epoch milliseconds
 * @returns the link's download id @throws as `findDeletable`
 */
export async function deleteByToken(services: Services, id: string, token: string, now: number): Promise<string> {
  const { userId, uploadTokenHash: tokenHash, downloadId } = await findDeletable(services, id, token);
  const stored = await revokeFile(services.db, id, { userId, tokenHash }, now);
  if (!stored) throw new AppError("FILE_NOT_FOUND");
  await deleteBytesOrDefer(services, stored, now);
  return downloadId;
}
