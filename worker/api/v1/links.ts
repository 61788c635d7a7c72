import type { LINK_CALLS } from "#domain/v1/links.ts";
import type { DownloadInfo } from "#domain/wire.ts";
import { takeDownload } from "../../downloads/counted-downloads.ts";
import { getDownloadInfo } from "../../downloads/download-info.ts";
import { listLinkFiles, serveLinkFile, readCursor } from "../../downloads/link-files.ts";
import { unlockLink } from "../../downloads/unlock-link.ts";
import type { Handlers } from "./handler.ts";

export const linkHandlers: Handlers<keyof typeof LINK_CALLS> = {
  readLink: async ({ context, params, now }) => linkOf(await getDownloadInfo(context, params.downloadId, now)),
  listLinkFiles: async ({ context, params, query, now }) => {
    const range = { from: readCursor(query.cursor), limit: query.limit };
    const { files, next } = await listLinkFiles(context, params.downloadId, range, now);
    const items = files.map(({ path: name, ...file }) => ({ name, ...file }));
    return { items, next: next === null ? null : String(next) };
  },
  readLinkFile: ({ context, params, now }) => serveLinkFile(context, params, now),
  unlockLink: async ({ context, params, body, now }) => {
    const { grant, until } = await unlockLink(context, params.downloadId, body, now);
    return { grant, until };
  },
  takeDownload: ({ context, params, now }) => takeDownload(context, params.downloadId, now),
};

/** Renames the fields of a link to those of `/api/v1`. */
function linkOf(info: DownloadInfo) {
  const { filename, size, mimeType, status, progress, transfer, downloadUrl, followUrl, expiresAt, sha256, guards } =
    info;
  return {
    name: filename,
    size,
    type: mimeType,
    state: status,
    progress,
    files: transfer?.entries ?? 1,
    title: transfer?.title,
    message: transfer?.message,
    downloadUrl,
    followUrl,
    expiresAt,
    sha256,
    guards,
  };
}
