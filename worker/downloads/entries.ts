import { AppError } from "#domain/errors.ts";
import { attachmentDisposition } from "#domain/file-names.ts";
import { mimeTypeOf } from "#domain/mime.ts";
import { ENTRIES_PER_CALL } from "#domain/transfers/limits.ts";
import { ENTRIES_PER_PAGE } from "#domain/transfers/pages.ts";
import type { ListedEntries, ListedEntry } from "#domain/wire.ts";
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
import { createDownloadResponse, requirePreview } from "./download-response.ts";
import { noteDownload } from "./note-download.ts";
import { openObject, type Representation } from "./representation.ts";
import { sendPieces } from "./send-pieces.ts";

type Transfer = Pick<FileRow, "id" | "entryCount" | "seal">;

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
  const toListed = (entry: DescribedEntry) => describeEntry(entry, file.seal !== null, range.withRemoved);
  if (!range.withRemoved || first === undefined || last === undefined) return { entries: entries.map(toListed), total };
  const downloads = await readEntryDownloads(services.db, file.id, { first, last });
  return { entries: entries.map((entry) => ({ ...toListed(entry), downloads: downloads.get(entry.n) ?? 0 })), total };
}

/** The first page of the list, as recipients see it. */
export function listFirstEntries(services: Services, file: Transfer): Promise<ListedEntries> {
  return describeList(services, file, { from: 0, count: ENTRIES_PER_PAGE, withRemoved: false });
}

/** Sends one file of a transfer, even while others arrive. @throws AppError UPLOAD_UNFINISHED, and as `listEntries` */
export async function serveEntry(context: RequestContext, entryRef: EntryRef, now: number): Promise<Response> {
  return serveOpenedEntry(context, await openLink(context, entryRef.downloadId, "bytes", now), entryRef.n);
}

/** @throws AppError BAD_REQUEST for a single file, and the errors of `requireStoredEntry` */
export async function serveOpenedEntry(context: RequestContext, link: OpenedLink, n: number): Promise<Response> {
  const { file, lease, entry } = await findEntry(context, link, n);
  const served = { contentType: typeOf(entry), sizeBytes: entry.sizeBytes };
  return createDownloadResponse(context, representationOf(context, file, entry, served), {
    lease,
    download: {
      followed: { file, entry: nameIn(entry.path) },
      onLastByteSent: () => noteDownload(context, file, entry.n),
    },
  });
}

/** @throws AppError NO_PREVIEW, SEALED, and the errors of `serveEntry` */
export async function serveEntryPreview(context: RequestContext, address: EntryRef, now: number): Promise<Response> {
  const link = await openLink(context, address.downloadId, "bytes", now);
  const { file, lease, entry } = await findEntry(context, link, address.n);
  if (file.seal !== null) throw new AppError("SEALED");
  const preview = requirePreview(typeOf(entry), entry.sizeBytes);
  return createDownloadResponse(context, representationOf(context, file, entry, preview), { lease });
}

export interface EntryRef {
  downloadId: string;
  n: number;
}

async function findEntry(
  { services }: RequestContext,
  { file, lease }: OpenedLink,
  n: number,
): Promise<OpenedLink & { entry: DescribedEntry }> {
  requireEntryList(file);
  const entry = await requireStoredEntry(services, file, n);
  if (entry.path.endsWith("/")) throw localizedError("BAD_REQUEST", "noSuchEntry", { n });
  return { file, lease, entry };
}

/** @throws AppError BAD_REQUEST for an unknown entry, FILE_EXPIRED for a removed entry, UPLOAD_UNFINISHED */
export async function requireStoredEntry(services: Services, file: Transfer, n: number): Promise<DescribedEntry> {
  const [entry] = await transferSessionOf(services, file).locate(file.id, [n]);
  if (!entry) throw localizedError("BAD_REQUEST", "noSuchEntry", { n });
  if (entry.state === "removed") throw localizedError("FILE_EXPIRED", "entryRemoved", {});
  if (entry.state !== "stored") throw new AppError("UPLOAD_UNFINISHED");
  return entry;
}

/** The ETag is made of the entry's number, because an entry's bytes never change. */
function representationOf(
  { services }: RequestContext,
  file: FileRow,
  { n, path, object, offset, sizeBytes }: DescribedEntry,
  served: { contentType: string; sizeBytes: number },
): Representation {
  const key = numberedKey(file.id, object ?? 0);
  return {
    downloadId: file.downloadId,
    file,
    key,
    sizeBytes: served.sizeBytes,
    etag: `"${file.downloadId}-${n}"`,
    modifiedAt: file.createdAt.getTime(),
    headers: { "content-type": served.contentType, "content-disposition": attachmentDisposition(nameIn(path)) },
    coverage: { resource: `entry ${n}`, wholesIn: () => [[0, sizeBytes]] },
    open: (range) => {
      const piece = object === null ? [] : [{ object, offset: offset + range.offset, length: range.length }];
      return sendPieces(piece, (stretch) => openObject(services.bucket, key, stretch));
    },
  };
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Omits checksums for an encrypted transfer: they are of the encrypted bytes, and so of no use to readers. */
function describeEntry(
  { n, path, sizeBytes, modifiedMs, type, state, sha256, crc32, picture }: DescribedEntry,
  isSealed: boolean,
  isForOwner: boolean,
): ListedEntry {
  const modifiedAt = new Date(modifiedMs).toISOString();
  const described = { n, path, size: sizeBytes, modifiedAt, type: typeOf({ path, type }), state };
  const listed = picture ? { ...described, picture } : described;
  if (isSealed) return listed;
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
