import type { Lifetime } from "#domain/expiry.ts";
import type { UploadRoad } from "#domain/wire.ts";
import type { Resumed } from "#durable-objects/upload-results.ts";
import type { Services } from "../context.ts";
import type { FileRow } from "../db/files.ts";
import { listUnfinishedTwins, type FileIdentity } from "../db/twins.ts";
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
export async function resumeUpload(
  services: Services,
  { userId }: Uploader,
  road: UploadRoad,
  identity: Omit<FileIdentity, "sizeBytes">,
  lifetime: Lifetime,
): Promise<ResumedUpload | null> {
  if (userId === null || !isTold(identity)) return null;
  const twins = await listUnfinishedTwins(services.db, userId, { ...identity, sizeBytes: lifetime.sizeBytes });
  return resumeTwin(services, twins, road, lifetime);
}

/** Whether a file can be told from another one of its name and size: by its date or its fingerprint. */
export function isTold({ lastModified, fingerprint }: Pick<FileIdentity, "lastModified" | "fingerprint">): boolean {
  return lastModified !== null || fingerprint !== null;
}

/** Goes on with the first of those uploads that can. */
export async function resumeTwin(
  services: Services,
  twins: FileRow[],
  road: UploadRoad,
  lifetime: Lifetime,
): Promise<ResumedUpload | null> {
  for (const file of twins) {
    const resumed = await sessionOf(services, file.id).resume(road, lifetime);
    if (!resumed.ok) continue;
    await changeExpiration(services.db, file.id, lifetime);
    return { ...resumed, file };
  }
  return null;
}
