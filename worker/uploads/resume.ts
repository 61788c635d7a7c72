import type { Lifetime } from "#domain/expiry.ts";
import type { UploadTransport } from "#domain/wire.ts";
import type { ResumeResult } from "#durable-objects/upload/results.ts";
import { keyIdOf, quotaHolderOf, type Caller } from "../callers/caller.ts";
import { sessionOf } from "../callers/sessions.ts";
import type { FileRow } from "../db/files.ts";
import { listMatchingUploads, type FileIdentity } from "../db/resumable-uploads.ts";
import { changeExpiration } from "../db/uploads.ts";
import type { Services } from "../services.ts";

export type ResumedUpload = { file: FileRow } & Extract<ResumeResult, { ok: true }>;

/**
 * Resumes an unfinished upload of the same file, from any device.
 * @param lifetime replaces the upload's @returns null when there is none; always for a visitor
 */
export async function resumeMatchingUpload(
  services: Services,
  caller: Caller,
  transport: UploadTransport,
  identity: Omit<FileIdentity, "sizeBytes" | "apiKeyId">,
  lifetime: Lifetime,
): Promise<ResumedUpload | null> {
  const userId = quotaHolderOf(caller);
  if (userId === null || !isIdentifiable(identity)) return null;
  const matchingUploads = await listMatchingUploads(services.db, userId, {
    ...identity,
    apiKeyId: keyIdOf(caller),
    sizeBytes: lifetime.sizeBytes,
  });
  return resumeFirst(services, matchingUploads, transport, lifetime);
}

/** Name and size alone do not identify a file. */
export function isIdentifiable({
  lastModified,
  fingerprint,
}: Pick<FileIdentity, "lastModified" | "fingerprint">): boolean {
  return lastModified !== null || fingerprint !== null;
}

export async function resumeFirst(
  services: Services,
  matchingUploads: FileRow[],
  transport: UploadTransport,
  lifetime: Lifetime,
): Promise<ResumedUpload | null> {
  for (const file of matchingUploads) {
    const resumed = await sessionOf(services, file).resume(transport, lifetime);
    if (!resumed.ok) continue;
    await changeExpiration(services.db, file.id, lifetime);
    return { ...resumed, file };
  }
  return null;
}
