import type { CurrentUser, UnfinishedUpload } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import type { FileRow } from "../db/files.ts";
import { listUnfinishedFiles } from "../db/resumable-uploads.ts";
import { guardsOf, sealStateOf } from "../links/describe-link.ts";
import { shareUrl } from "../urls.ts";
import { sessionOf, transferSessionOf } from "../callers/sessions.ts";

async function statusOf(
  services: Services,
  file: FileRow,
): Promise<Pick<UnfinishedUpload, "progress" | "transport" | "entries" | "fingerprint">> {
  if (file.entryCount !== null) {
    const status = await transferSessionOf(services, file).status();
    const { entryCount: entries, fingerprint } = file;
    return { progress: status?.progress ?? 0, transport: "parts", entries, fingerprint };
  }
  return (await sessionOf(services, file).status()) ?? { progress: 0, transport: "parts" };
}

/** Newest first; includes uploads that run on another device. */
export async function listUnfinished(services: Services, user: CurrentUser): Promise<UnfinishedUpload[]> {
  const files = await listUnfinishedFiles(services.db, user.id);
  return Promise.all(
    files.map(async (file) => ({
      ...(await statusOf(services, file)),
      uploadId: file.id,
      downloadId: file.downloadId,
      shareUrl: shareUrl(services.settings, file.downloadId),
      filename: file.filename,
      size: file.size,
      expiration: file.expiration,
      expirationChosen: file.expirationChosen,
      startedAt: file.createdAt.toISOString(),
      ...guardsOf(file),
      ...sealStateOf(file),
    })),
  );
}
