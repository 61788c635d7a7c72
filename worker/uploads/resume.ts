import type { Lifetime } from "#domain/expiry.ts";
import type { UploadTransport } from "#domain/wire.ts";
import type { Resumed } from "#durable-objects/upload-results.ts";
import type { Services } from "../services.ts";
import type { FileRow } from "../db/files.ts";
import { listMatchingUploads, type FileIdentity } from "../db/resumable-uploads.ts";
import { changeExpiration } from "../db/uploads.ts";
import { sessionOf } from "./sessions.ts";
import type { Uploader } from "./uploader.ts";

/** An upload that broke off, and how far it had come. */
export type ResumedUpload = { file: FileRow } & Extract<Resumed, { ok: true }>;

/**
 * Finds the upload of that very file that broke off on that road, on whatever device, and goes on with it.
 * @param lifetime as it was chosen now
 * @returns null when there is none; a visitor's uploads are not found again
 */
export async function resumeMatchingUpload(
  services: Services,
  { userId }: Uploader,
  transport: UploadTransport,
  identity: Omit<FileIdentity, "sizeBytes">,
  lifetime: Lifetime,
): Promise<ResumedUpload | null> {
  if (userId === null || !isIdentifiable(identity)) return null;
  const matchingUploads = await listMatchingUploads(services.db, userId, {
    ...identity,
    sizeBytes: lifetime.sizeBytes,
  });
  return resumeFirst(services, matchingUploads, transport, lifetime);
}

/** Whether a file can be told from another one of its name and size: by its date or its fingerprint. */
export function isIdentifiable({
  lastModified,
  fingerprint,
}: Pick<FileIdentity, "lastModified" | "fingerprint">): boolean {
  return lastModified !== null || fingerprint !== null;
}

/** Goes on with the first of those uploads that can. */
export async function resumeFirst(
  services: Services,
  matchingUploads: FileRow[],
  transport: UploadTransport,
  lifetime: Lifetime,
): Promise<ResumedUpload | null> {
  for (const file of matchingUploads) {
    const resumed = await sessionOf(services, file.id).resume(transport, lifetime);
    if (!resumed.ok) continue;
    await changeExpiration(services.db, file.id, lifetime);
    return { ...resumed, file };
  }
  return null;
}
