import type { DownloadInfo, ListedEntries } from "#domain/wire.ts";
import type { RequestContext } from "../context.ts";
import { describeDownload, getDescribedFile } from "./download-info.ts";
import { listFirstEntries } from "./entries.ts";

export interface DownloadPage {
  info: DownloadInfo;
  /** The beginning of a transfer's list; null for a single file. */
  list: ListedEntries | null;
}

/** @throws AppError RATE_LIMITED, and the errors of `openLink` */
export async function getDownloadPage(context: RequestContext, downloadId: string, now: number): Promise<DownloadPage> {
  const file = await getDescribedFile(context, downloadId, now);
  const [info, list] = await Promise.all([
    describeDownload(context.services, file),
    file.entryCount === null ? null : listFirstEntries(context.services, file),
  ]);
  return { info, list };
}
