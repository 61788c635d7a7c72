import { isExpired } from "#domain/expiry.ts";
import { safeFilename } from "#domain/safe-filename.ts";
import type { FileRow } from "../db/files.ts";
import { toIso } from "../links.ts";

export function toListedFile(file: FileRow, now: number) {
  const expiresAtMs = file.expiresAt?.getTime() ?? null;
  return {
    id: file.id,
    filename: safeFilename(file.filename),
    size: file.size,
    uploadedAt: (file.uploadedAt ?? file.createdAt).toISOString(),
    expiresAt: toIso(expiresAtMs),
    isExpired: isExpired(expiresAtMs, now),
    downloadId: file.downloadId,
    downloadCount: file.downloadCount,
  };
}
