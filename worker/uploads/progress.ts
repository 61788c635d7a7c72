import type { PartPlan } from "#domain/parts.ts";
import type { CurrentUser, UnfinishedUpload } from "#domain/wire.ts";
import { sessionOf, transferSessionOf, anySessionOf, getOwnFile, type CallerLookup } from "../callers/sessions.ts";
import type { FileRow } from "../db/files.ts";
import { listUnfinishedFiles } from "../db/resumable-uploads.ts";
import { protectionOf, sealStateOf } from "../links/describe-link.ts";
import type { Services } from "../services.ts";
import { shareUrl } from "../urls.ts";

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

/** The person's unfinished uploads, newest first, also those that run on another device. */
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
      ...(file.chosenEnd && { expiresAt: file.chosenEnd.toISOString() }),
      startedAt: file.createdAt.toISOString(),
      ...protectionOf(file),
      ...sealStateOf(file),
    })),
  );
}

interface UploadStanding {
  file: FileRow;
  /** Percent of the bytes that is stored. */
  progress: number;
  /** The stored parts of a single file in parts. */
  received?: number[];
  parts?: PartPlan;
}

/** The progress of an upload. @param id of the file @throws AppError FILE_NOT_FOUND */
export async function readUpload(services: Services, caller: CallerLookup, id: string): Promise<UploadStanding> {
  const file = await getOwnFile(services, caller, id);
  if (file.status !== "uploading") return { file, progress: file.status === "ready" ? 100 : 0 };
  const status = await anySessionOf(services, file).status();
  const progress = status?.progress ?? 0;
  if (file.entryCount !== null) return { file, progress };
  const session = await sessionOf(services, file).storeReceipts([]);
  // The session refuses for an upload in chunks, and for an upload that has just ended.
  if (!session.ok) return { file, progress };
  return { file, progress, received: session.received, parts: session.parts };
}
