import type { RequestContext } from "../context.ts";
import type { FinishedDownload } from "../db/download-counts.ts";
import type { FileRow } from "../db/files.ts";
import { downloaderOf } from "../links/open-link.ts";
import { logError } from "../log.ts";
import { countAndWatch } from "../moderation/new-accounts.ts";

/**
 * Sends a finished download to the queue whose consumer counts it, or counts it here if the queue refuses it. Call after
 * the answer. @param entry the entry that was downloaded by itself; null for a file, and for a ZIP
 */
export async function noteDownload(context: RequestContext, file: FileRow, entry: number | null = null): Promise<void> {
  const { queues } = context.services;
  const at = Date.now();
  const download: FinishedDownload = {
    id: crypto.randomUUID().replaceAll("-", ""),
    file: file.id,
    entry,
    ...(await downloaderOf(context, file)),
    at,
  };
  try {
    await queues.downloads.send(download);
  } catch (error) {
    logError("download.not_queued", error, { uploadId: file.id });
    // Harmless if the queue has the message all the same: the id counts once.
    await countAndWatch(context.services, [download], at);
  }
}
