import { safeFilename } from "#domain/file-names.ts";
import { servedMimeType } from "#domain/mime.ts";
import type { EntryState, ListedEntry } from "#domain/wire.ts";
import type { Caller } from "../callers/caller.ts";
import { getOwnFile } from "../callers/sessions.ts";
import type { RequestContext } from "../context.ts";
import type { FileRow } from "../db/files.ts";
import { localizedError, localizedInputError } from "../errors/translate-error.ts";
import { openLink } from "../links/open-link.ts";
import type { Services } from "../services.ts";
import { serveFile } from "./download-content.ts";
import { followUrlOf } from "./download-info.ts";
import { describeList, serveOpenedEntry } from "./entries.ts";

/** A file behind a link. A single file has no date. */
export type LinkFile = Omit<ListedEntry, "modifiedAt" | "downloads" | "state"> & {
  modifiedAt?: string;
  state: Exclude<EntryState, "removed">;
};

/**
 * The files behind a link. A single file has number 0. @param from number of the first file @param limit files
 * @returns `next`: the number of the next page's first file; null at the end
 * @throws AppError RATE_LIMITED, and the errors of `openLink`
 */
export async function listLinkFiles(
  context: RequestContext,
  downloadId: string,
  { from, limit }: { from: number; limit: number },
  now: number,
): Promise<{ files: LinkFile[]; next: number | null }> {
  await context.enforceRateLimit("listEntries");
  const { file } = await openLink(context, downloadId, "list", now);
  if (file.entryCount === null) return { files: from === 0 ? [singleFile(context.services, file)] : [], next: null };
  const range = { from, count: limit + 1, withRemoved: false };
  const { entries } = await describeList(context.services, file, range);
  const files = entries
    .slice(0, limit)
    .flatMap(({ state, ...entry }): LinkFile[] => (state === "removed" ? [] : [{ ...entry, state }]));
  return { files, next: entries[limit]?.n ?? null };
}

/**
 * The files of a transfer, removed ones included, for its sender. Empty for a single file.
 * @param id the file's @param from number of the first file @param limit files
 * @returns `next` as in `listLinkFiles` @throws AppError FILE_NOT_FOUND
 */
export async function listSentFiles(
  services: Services,
  caller: Caller,
  id: string,
  { from, limit }: { from: number; limit: number },
): Promise<{ files: Omit<ListedEntry, "downloads" | "followUrl">[]; next: number | null }> {
  const file = await getOwnFile(services, caller, id);
  if (file.entryCount === null) return { files: [], next: null };
  const { entries } = await describeList(services, file, { from, count: limit + 1, withRemoved: true });
  const files = entries.slice(0, limit).map(({ downloads: _downloads, followUrl: _followUrl, ...entry }) => entry);
  return { files, next: entries[limit]?.n ?? null };
}

function singleFile(services: Services, file: FileRow): LinkFile {
  const followUrl = followUrlOf(services, file);
  return {
    n: 0,
    path: safeFilename(file.filename),
    size: file.size,
    type: servedMimeType(file.mimeType),
    state: file.status === "ready" ? "stored" : "arriving",
    ...(followUrl !== null && { followUrl }),
    ...(file.status === "ready" && file.sha256 !== null && file.seal === null && { sha256: file.sha256 }),
  };
}

/** @throws AppError BAD_REQUEST for an unknown file, and the errors of `serveContent` and `serveEntry` */
export async function serveLinkFile(
  context: RequestContext,
  { downloadId, n }: { downloadId: string; n: number },
  now: number,
): Promise<Response> {
  const link = await openLink(context, downloadId, "bytes", now);
  if (link.file.entryCount !== null) return serveOpenedEntry(context, link, n);
  if (n !== 0) throw localizedError("BAD_REQUEST", "noSuchEntry", { n });
  return serveFile(context, link);
}

/** @returns the number of the page's first file @throws AppError BAD_REQUEST for an invalid cursor */
export function readCursor(cursor = "0"): number {
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw localizedInputError("notCursor", { field: "cursor" }, { field: "cursor" });
}
