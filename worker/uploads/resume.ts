import type { Lifetime } from "#domain/expiry.ts";
import type { UploadRoad } from "#domain/wire.ts";
import type { Resumed } from "#durable-objects/upload-results.ts";
import type { Services } from "../context.ts";
import type { FileRow } from "../db/files.ts";
import { changeExpiration, listUnfinishedTwins, type FileIdentity } from "../db/uploads.ts";
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
  // Without a date or a fingerprint nothing tells two files of one name and size apart.
  if (userId === null || (identity.lastModified === null && identity.fingerprint === null)) return null;
  const twins = await listUnfinishedTwins(services.db, userId, { ...identity, sizeBytes: lifetime.sizeBytes });
  for (const file of twins) {
    const resumed = await sessionOf(services, file.id).resume(road, lifetime);
    if (!resumed.ok) continue;
    await changeExpiration(services.db, file.id, lifetime);
    return { ...resumed, file };
  }
  return null;
}
