import type { Manifest } from "#domain/seal/manifest.ts";
import { SealError } from "#domain/seal/seal-error.ts";
import type { DownloadInfo, ListedEntries } from "#domain/wire.ts";
import {
  countUnlisted,
  describeSealed,
  placeFiles,
  presentFiles,
  titleOf,
  type SealedLinkFile,
  type StoredStreams,
} from "./sealed-files.ts";

/** What the page of an opened link shows. */
export interface DescribedLink {
  title: string;
  files: SealedLinkFile[];
  info: DownloadInfo;
  list: ListedEntries | null;
  /** The server holds so many files that the sender's list does not name. 0 while the transfer arrives. */
  unlisted: number;
}

/**
 * @param link the newest list that this page has @param fallback the title of a transfer without one
 * @returns null while the server has a newer list, without which nothing can be said
 * @throws SealError
 */
export function describeLink(
  downloadId: string,
  info: DownloadInfo,
  { manifest, revision }: { manifest: Manifest; revision: number },
  streams: StoredStreams,
  fallback: string,
): DescribedLink | null {
  const isReady = info.status === "ready";
  if (isReady && !manifest.final) {
    if ((info.seal?.revision ?? 0) > revision) return null;
    throw new SealError("manifest", "The final list of files is missing.");
  }
  const files = presentFiles(placeFiles(downloadId, manifest, info.transfer !== undefined), streams, isReady);
  const title = titleOf(manifest, fallback);
  const unlisted = isReady ? countUnlisted(manifest, streams) : 0;
  return { title, files, unlisted, ...describeSealed(info, manifest, files, title) };
}
