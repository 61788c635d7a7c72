import type { CurrentUser, UnfinishedUpload } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import { listUnfinishedFiles } from "../db/uploads.ts";
import { shareUrl } from "../links.ts";
import { sessionOf } from "./sessions.ts";

/** Newest first; includes uploads that run on another device. */
export async function listUnfinished(services: Services, user: CurrentUser): Promise<UnfinishedUpload[]> {
  const files = await listUnfinishedFiles(services.db, user.id);
  return Promise.all(
    files.map(async (file) => ({
      ...((await sessionOf(services, file.id).status()) ?? { progress: 0, transport: "parts" as const }),
      uploadId: file.id,
      downloadId: file.downloadId,
      shareUrl: shareUrl(services.settings, file.downloadId),
      filename: file.filename,
      size: file.size,
      expiration: file.expiration,
      expirationChosen: file.expirationChosen,
      startedAt: file.createdAt.toISOString(),
    })),
  );
}
