import { AppError } from "#domain/errors.ts";
import { isExpired } from "#domain/expiry.ts";
import type { CurrentUser, ListedFile } from "#domain/wire.ts";
import type { Services } from "../context.ts";
import { listFilesOf, markObjectsDeleted, revokeFile } from "../db/files.ts";
import { toIso } from "../links.ts";
import { deleteObjects } from "../storage/objects.ts";

/** A person's finished files, newest first, ready and expired. @param now epoch milliseconds */
export async function listFiles({ db }: Services, user: CurrentUser, now: number): Promise<ListedFile[]> {
  const rows = await listFilesOf(db, user.id);
  return rows.map((file) => ({
    id: file.id,
    filename: file.filename,
    size: file.size,
    uploadedAt: (file.uploadedAt ?? file.createdAt).toISOString(),
    expiresAt: toIso(file.expiresAt?.getTime() ?? null),
    isExpired: isExpired(file.expiresAt?.getTime() ?? null, now),
    downloadId: file.downloadId,
  }));
}

/**
 * Deletes a person's file: its link ends at once, its bytes now or with the next sweep.
 * @throws AppError FILE_NOT_FOUND
 */
export async function deleteFile({ db, bucket }: Services, user: CurrentUser, id: string, now: number): Promise<void> {
  const s3Key = await revokeFile(db, id, user.id, now);
  if (s3Key === null) throw new AppError("FILE_NOT_FOUND");
  try {
    await deleteObjects(bucket, [s3Key]);
    await markObjectsDeleted(db, [id], now);
  } catch (error) {
    console.error({ event: "file.delete_deferred", fileId: id, error: String(error) });
  }
}
