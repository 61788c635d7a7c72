import { attachmentDisposition, archiveName } from "#domain/file-names.ts";
import { wholesInArchive } from "#domain/protection/coverage.ts";
import { MAX_ENTRY_NUMBERS } from "#domain/transfers/limits.ts";
import { decodePlaces, type PlacedEntry } from "#domain/transfers/pages.ts";
import { parsePick } from "#domain/transfers/selection.ts";
import type { ArchiveQuery } from "#domain/wire.ts";
import { layOutZip, zipPieces, type ZipLayout } from "#domain/zip.ts";
import { transferSessionOf } from "../callers/sessions.ts";
import type { RequestContext } from "../context.ts";
import { findFileById, type FileRow } from "../db/files.ts";
import { atPrimary } from "../db/replicas.ts";
import { localizedError } from "../errors/translate-error.ts";
import { admit, type OpenedLink } from "../links/open-link.ts";
import { numberedKey } from "../storage/keys.ts";
import { VERSION_CHARACTERS } from "../urls.ts";
import { ArchiveCache, type Archive } from "./archive-cache.ts";
import { createDownloadResponse } from "./download-response.ts";
import { noteDownload } from "./note-download.ts";
import { type Representation, openObject } from "./representation.ts";
import { sendPieces } from "./send-pieces.ts";

const ZIP_MIME_TYPE = "application/zip";

/** How often row and list are read, because removals may change both in between. */
const MAX_READINGS = 5;

const cache = new ArchiveCache();

/**
 * Sends a transfer's ZIP, or the ZIP of a selection, which is made while it is sent. Counts a download of the transfer
 * when the last byte has been sent, unless the reader asked for the ZIP's directory alone.
 * @throws AppError UPLOAD_UNFINISHED, RATE_LIMITED, BAD_REQUEST, and the errors of `openLink` and
 * `createDownloadResponse`
 */
export async function serveArchive(
  context: RequestContext,
  opened: OpenedLink,
  query: ArchiveQuery,
  now: number,
): Promise<Response> {
  const { bucket } = context.services;
  await context.enforceRateLimit("archive");
  const { file } = opened;
  const { layout, title, selected, modifiedAt, lease } =
    file.status === "ready"
      ? await layOutReady(context, opened, query, now)
      : { ...(await layOutArriving(context, file, query)), lease: opened.lease };
  const representation: Representation = {
    downloadId: file.downloadId,
    file,
    key: file.s3Key,
    sizeBytes: layout.size,
    etag: layout.etag,
    modifiedAt: modifiedAt.getTime(),
    headers: {
      "content-type": ZIP_MIME_TYPE,
      "content-disposition": attachmentDisposition(archiveName(title, selected)),
    },
    coverage: {
      resource: `zip ${layout.etag}`,
      wholesIn: ({ offset, length }) => wholesInArchive(layout, [offset, length]),
    },
    open: ({ offset, length }) =>
      sendPieces(zipPieces(layout, offset, offset + length), (piece) =>
        openObject(bucket, numberedKey(file.id, piece.object), piece),
      ),
  };
  return createDownloadResponse(context, representation, {
    lease,
    download: {
      followed: { file, directoryStart: layout.directoryStart },
      onLastByteSent: async (firstByte) => {
        if (firstByte >= layout.directoryStart) return;
        await noteDownload(context, file);
      },
    },
  });
}

interface ServedArchive {
  layout: ZipLayout;
  title: string;
  /** The number of selected entries. Undefined for the whole transfer. */
  selected?: number;
  modifiedAt: Date;
}

async function layOutReady(
  context: RequestContext,
  opened: OpenedLink,
  { v, pick }: ArchiveQuery,
  now: number,
): Promise<ServedArchive & Pick<OpenedLink, "lease">> {
  const { current, archive } = await readArchive(context, opened, v, now);
  const { file, lease } = current;
  const served = { title: file.filename, modifiedAt: file.zipChangedAt ?? file.createdAt, lease };
  if (pick === undefined) return { ...served, layout: archive.layout };
  const picked = requirePick(pick, archive.places.length).flatMap((n) => archive.places[n] ?? []);
  requirePresent(picked);
  return { ...served, layout: await layOutZip(picked), selected: picked.length };
}

/** Stored entries can be downloaded while other entries arrive, but only as a selection. */
async function layOutArriving(
  { services }: RequestContext,
  file: FileRow,
  { v, pick }: ArchiveQuery,
): Promise<ServedArchive> {
  if (pick === undefined) throw localizedError("UPLOAD_UNFINISHED", "entriesUnfinished", {});
  requireVersion(file, v);
  const numbers = requirePick(pick, MAX_ENTRY_NUMBERS);
  const picked = await transferSessionOf(services, file).locate(file.id, numbers);
  if (picked.length < numbers.length) throw localizedError("BAD_REQUEST", "wrongPick", {});
  requirePresent(picked);
  if (picked.some(({ state }) => state !== "stored")) {
    throw localizedError("UPLOAD_UNFINISHED", "entriesUnfinished", {});
  }
  return { layout: await layOutZip(picked), title: file.filename, selected: picked.length, modifiedAt: file.createdAt };
}

/** @returns the archive, and the link, which is read again if its list has changed since it was opened */
async function readArchive(
  context: RequestContext,
  opened: OpenedLink,
  version: string | undefined,
  now: number,
): Promise<{ current: OpenedLink; archive: Archive }> {
  const { services } = context;
  let current = opened;
  for (let reading = 1; reading <= MAX_READINGS; reading += 1) {
    const { file } = current;
    requireVersion(file, version);
    const cached = file.etag === null ? null : cache.get(file.id, file.etag);
    if (cached) return { current, archive: cached };
    const session = transferSessionOf(services, file);
    // The database was restored to a time before a removal.
    if (reading === MAX_READINGS - 1) await session.rewriteRow(file.id, file.etag ?? "");
    const archive = await layOut(await session.pages(file.id));
    if (archive.layout.etag === `"${file.etag}"`) {
      cache.add(file.id, file.etag ?? "", archive);
      return { current, archive };
    }
    // The row came from a replica, or the list has changed since the row was read.
    const row = await atPrimary(() => findFileById(services.db, file.id));
    current = await admit(context, row, "bytes", now);
  }
  throw new Error(`the list of transfer ${opened.file.id} is not that of its archive`);
}

async function layOut(pages: string[]): Promise<Archive> {
  const places = pages.flatMap(decodePlaces);
  return { places, layout: await layOutZip(places.filter(({ removedAt }) => removedAt === null)) };
}

/** A tool that resumes without If-Range must not join the bytes of two archives. @throws AppError FILE_EXPIRED */
function requireVersion({ etag }: FileRow, version: string | undefined): void {
  if (version === undefined || version === etag?.slice(0, VERSION_CHARACTERS)) return;
  throw localizedError("FILE_EXPIRED", "archiveChanged", {});
}

function requirePick(pick: string, entryCount: number): number[] {
  const numbers = parsePick(pick, entryCount);
  if (numbers === null) throw localizedError("BAD_REQUEST", "wrongPick", {});
  return numbers;
}

function requirePresent(picked: PlacedEntry[]): void {
  if (picked.some(({ removedAt }) => removedAt !== null)) throw localizedError("FILE_EXPIRED", "entryRemoved", {});
}
