import { AppError } from "#domain/errors.ts";
import { attachmentDisposition } from "#domain/file-names.ts";
import { mimeTypeOf } from "#domain/mime.ts";
import { showsWhileArriving } from "#domain/preview.ts";
import { stretchesOf } from "#domain/segments.ts";
import { ENTRIES_PER_CALL } from "#domain/transfers/limits.ts";
import { ENTRIES_PER_PAGE } from "#domain/transfers/pages.ts";
import type { FollowQuery, ListedEntries, ListedEntry } from "#domain/wire.ts";
import type { DescribedEntry, EntryRange } from "#durable-objects/transfer/described-entry.ts";
import { findCaller, owns } from "../callers/caller.ts";
import { transferSessionOf } from "../callers/sessions.ts";
import type { RequestContext } from "../context.ts";
import type { FileRow } from "../db/files.ts";
import { readEntryDownloads } from "../db/transfers.ts";
import { localizedError } from "../errors/translate-error.ts";
import { openLink, type OpenedLink } from "../links/open-link.ts";
import { NAMED_FILES, type TransferSummary } from "../mail/messages/files.tsx";
import type { Services } from "../services.ts";
import { numberedKey } from "../storage/keys.ts";
import { entryContentPath } from "../urls.ts";
import { createDownloadResponse, requirePreview } from "./download-response.ts";
import {
  canEntryBeFollowed,
  followedEntry,
  FollowingReader,
  notReadableYet,
  type FollowedEntry,
} from "./follow-upload.ts";
import { noteDownload } from "./note-download.ts";
import { openObject, type Representation } from "./representation.ts";
import { sendPieces } from "./send-pieces.ts";

type Transfer = Pick<FileRow, "id" | "downloadId" | "entryCount" | "seal">;

/**
 * A page of a transfer's list. The transfer's owner also sees removed entries, and how often each entry was downloaded
 * by itself. @param from entry number @throws AppError BAD_REQUEST, RATE_LIMITED, and the errors of `openLink`
 */
export async function listEntries(
  context: RequestContext,
  { downloadId, from }: { downloadId: string; from: number },
  now: number,
): Promise<ListedEntries> {
  const { services } = context;
  await context.enforceRateLimit("listEntries");
  const [{ file }, viewer] = await Promise.all([openLink(context, downloadId, "list", now), findCaller(context)]);
  requireEntryList(file);
  const withRemoved = viewer !== null && owns(viewer, file);
  return describeList(services, file, { from, count: ENTRIES_PER_CALL, withRemoved });
}

/**
 * Lists entries of a transfer that is uploading or ready. Empty once the list is deleted with its files. With
 * `withRemoved`, each entry also has its downloads.
 */
export async function describeList(services: Services, file: Transfer, range: EntryRange): Promise<ListedEntries> {
  const { entries, total } = await transferSessionOf(services, file).list(file.id, range);
  const [first, last] = [entries.at(0)?.n, entries.at(-1)?.n];
  const toListed = (entry: DescribedEntry) => describeEntry(file, entry, range.withRemoved);
  if (!range.withRemoved || first === undefined || last === undefined) return { entries: entries.map(toListed), total };
  const downloads = await readEntryDownloads(services.db, file.id, { first, last });
  return { entries: entries.map((entry) => ({ ...toListed(entry), downloads: downloads.get(entry.n) ?? 0 })), total };
}

/** The first page of the list, as recipients see it. */
export function listFirstEntries(services: Services, file: Transfer): Promise<ListedEntries> {
  return describeList(services, file, { from: 0, count: ENTRIES_PER_PAGE, withRemoved: false });
}

/**
 * Sends one file of a transfer, even while others arrive. @param query `follow` "1" to read a file that is still arriving
 * @throws AppError UPLOAD_UNFINISHED, and as `listEntries`
 */
export async function serveEntry(
  context: RequestContext,
  { downloadId, n }: EntryRef,
  now: number,
  { follow }: FollowQuery = {},
): Promise<Response> {
  return serveOpenedEntry(context, await openLink(context, downloadId, "bytes", now), n, follow);
}

/** @throws AppError BAD_REQUEST for a single file, and the errors of `requireEntry` and `FollowingReader` */
export async function serveOpenedEntry(
  context: RequestContext,
  link: OpenedLink,
  n: number,
  follow?: FollowQuery["follow"],
): Promise<Response> {
  const { file, lease, entry } = await findEntry(context, link, n, follow);
  const served = { contentType: typeOf(entry), sizeBytes: entry.sizeBytes };
  return createDownloadResponse(context, representationOf(context, file, entry, served, follow), {
    lease,
    download: {
      followed: { file, entry: nameIn(entry.path) },
      onLastByteSent: () => noteDownload(context, file, entry.n),
    },
  });
}

/** @throws AppError NO_PREVIEW, SEALED, and the errors of `serveEntry` */
export async function serveEntryPreview(
  context: RequestContext,
  address: EntryRef,
  now: number,
  { follow }: FollowQuery = {},
): Promise<Response> {
  const link = await openLink(context, address.downloadId, "bytes", now);
  const { file, lease, entry } = await findEntry(context, link, address.n, follow);
  if (file.seal !== null) throw new AppError("SEALED");
  const preview = requirePreview(typeOf(entry), entry.sizeBytes);
  const asked = showsWhileArriving(preview) ? follow : undefined;
  return createDownloadResponse(context, representationOf(context, file, entry, preview, asked), { lease });
}

export interface EntryRef {
  downloadId: string;
  n: number;
}

async function findEntry(
  { services }: RequestContext,
  { file, lease }: OpenedLink,
  n: number,
  follow: FollowQuery["follow"],
): Promise<OpenedLink & { entry: DescribedEntry }> {
  requireEntryList(file);
  const entry = await requireEntry(services, file, n);
  if (entry.path.endsWith("/")) throw localizedError("BAD_REQUEST", "noSuchEntry", { n });
  if (entry.state !== "stored" && !isFollowed(entry, follow)) throw notReadableYet();
  return { file, lease, entry };
}

function isFollowed(entry: DescribedEntry, follow: FollowQuery["follow"]): entry is FollowedEntry {
  return follow === "1" && canEntryBeFollowed(entry);
}

/** @throws AppError UPLOAD_UNFINISHED, and the errors of `requireEntry` */
export async function requireStoredEntry(services: Services, file: Transfer, n: number): Promise<DescribedEntry> {
  const entry = await requireEntry(services, file, n);
  if (entry.state !== "stored") throw notReadableYet();
  return entry;
}

/** @throws AppError BAD_REQUEST for an unknown entry, FILE_EXPIRED for a removed entry */
async function requireEntry(services: Services, file: Transfer, n: number): Promise<DescribedEntry> {
  const [entry] = await transferSessionOf(services, file).locate(file.id, [n]);
  if (!entry) throw localizedError("BAD_REQUEST", "noSuchEntry", { n });
  if (entry.state === "removed") throw localizedError("FILE_EXPIRED", "entryRemoved", {});
  return entry;
}

/**
 * The ETag is made of the entry's number, because a stored entry's bytes never change. Of an entry in segments, which can
 * be read before it is stored, the ETag also has the number of its first object, because the entry gets other objects if
 * its sender begins anew. @throws AppError UPLOAD_UNFINISHED
 */
function representationOf(
  { services }: RequestContext,
  file: FileRow,
  entry: DescribedEntry,
  served: { contentType: string; sizeBytes: number },
  follow: FollowQuery["follow"],
): Representation {
  const { n, path, object, sizeBytes, layout } = entry;
  const reader = isFollowed(entry, follow) ? new FollowingReader(services, followedEntry(services, file, entry)) : null;
  if (entry.state !== "stored" && !reader) throw notReadableYet();
  return {
    downloadId: file.downloadId,
    file,
    key: numberedKey(file.id, object ?? 0),
    sizeBytes: served.sizeBytes,
    etag: layout ? `"${file.downloadId}-${n}-${object ?? 0}"` : `"${file.downloadId}-${n}"`,
    modifiedAt: file.createdAt.getTime(),
    headers: { "content-type": served.contentType, "content-disposition": attachmentDisposition(nameIn(path)) },
    coverage: { resource: `entry ${n}`, wholesIn: () => [[0, sizeBytes]] },
    open: ({ offset, length }) =>
      reader?.open({ offset, length }) ??
      sendPieces(stretchesOf(entry, offset, offset + length), (stretch) =>
        openObject(services.bucket, numberedKey(file.id, stretch.object), stretch),
      ),
  };
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Omits checksums for an encrypted transfer: they are of the encrypted bytes, and so of no use to readers. */
function describeEntry(
  { downloadId, seal }: Pick<Transfer, "downloadId" | "seal">,
  entry: DescribedEntry,
  isForOwner: boolean,
): ListedEntry {
  const { n, path, sizeBytes, modifiedMs, type, state, sha256, crc32 } = entry;
  const modifiedAt = new Date(modifiedMs).toISOString();
  const followUrl = canEntryBeFollowed(entry) ? { followUrl: `${entryContentPath(downloadId, n)}?follow=1` } : {};
  const described = { n, path, size: sizeBytes, modifiedAt, type: typeOf({ path, type }), state, ...followUrl };
  const listed = entry.picture ? { ...described, picture: entry.picture } : described;
  if (seal !== null) return listed;
  return {
    ...listed,
    ...(sha256 !== null && { sha256 }),
    ...(isForOwner && state === "stored" && { crc32: crc32.toString(16).padStart(8, "0") }),
  };
}

/** Falls back to the file name if the announced type is missing or invalid. */
function typeOf({ path, type }: Pick<DescribedEntry, "path" | "type">): string {
  return mimeTypeOf(path, type);
}

/** @throws AppError BAD_REQUEST for a single file */
export function requireEntryList({ entryCount }: Pick<FileRow, "entryCount">): void {
  if (entryCount !== null) return;
  throw new AppError("BAD_REQUEST", { message: "This link is a single file. It has no list of files." });
}

/** The first files of a transfer, for mails. Must be called before the transfer's list is deleted. */
export async function summarizeTransfer(services: Services, file: Transfer): Promise<TransferSummary> {
  const { entries, total } = await describeList(services, file, { from: 0, count: NAMED_FILES, withRemoved: false });
  return { paths: entries.map(({ path }) => path), entries: total };
}
