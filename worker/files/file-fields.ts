import { isExpired } from "#domain/expiry.ts";
import { safeFilename } from "#domain/safe-filename.ts";
import { archiveName } from "#domain/transfers/archive-name.ts";
import type { FileRow } from "../db/files.ts";
import { guardsOf } from "../guards/describe-guards.ts";
import { sealStateOf } from "../guards/stored-seal.ts";
import { toIso } from "../links.ts";

/** What an owner and an administrator both see. */
export function fileFields(file: FileRow, now: number) {
  const expiresAtMs = file.expiresAt?.getTime() ?? null;
  return {
    id: file.id,
    filename: file.entryCount === null ? safeFilename(file.filename) : archiveName(file.filename),
    size: file.size,
    uploadedAt: (file.uploadedAt ?? file.createdAt).toISOString(),
    expiresAt: toIso(expiresAtMs),
    isExpired: isExpired(expiresAtMs, now),
    downloadId: file.downloadId,
    downloadCount: file.downloadCount,
    ...guardsOf(file),
    ...sealStateOf(file),
    ...(file.entryCount === null ? {} : { entries: file.entryCount, title: file.filename, message: file.message }),
  };
}
