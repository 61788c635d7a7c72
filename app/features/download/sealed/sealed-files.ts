import { nameOf } from "#app/ui/entries/entry-folders.ts";
import { archiveName } from "#domain/file-names.ts";
import { mimeTypeOf } from "#domain/mime.ts";
import { streamSizes, type Manifest } from "#domain/seal/manifest.ts";
import { SealError } from "#domain/seal/seal-error.ts";
import { openedSize } from "#domain/seal/sizes.ts";
import { MAX_ENTRY_NUMBERS } from "#domain/transfers/limits.ts";
import { containsNumber, toRuns, type Runs } from "#domain/transfers/runs.ts";
import { parsePick } from "#domain/transfers/selection.ts";
import type { DownloadInfo, EntryState, ListedEntries, PictureInfo } from "#domain/wire.ts";
import type { Content, PlacedFile } from "./reader/sources.ts";

/** A file of a sealed link, as the link's page lists it. */
export interface SealedLinkFile extends PlacedFile {
  /** The file's number in the page's list. */
  n: number;
  /** The number of the server's entry that holds the file; null if the link is one stored file. */
  entry: number | null;
  type: string;
  sha256?: string;
}

/** The sizes of the stored streams, by stream number. */
export interface StoredStreams {
  bytes: ReadonlyMap<number, number>;
  /** The highest number of an announced stream; -1 if there is none. A missing lower number was removed. */
  last: number;
  /** By stream number. */
  pictures: ReadonlyMap<number, PictureInfo>;
  /** The addresses that follow the upload, of streams that are still arriving and can be read already. */
  followed: ReadonlyMap<number, string>;
}

/**
 * @param isTransfer whether each stream is an entry of the server
 * @param followed the addresses that follow the upload, by stream
 */
export function placeFiles(
  downloadId: string,
  manifest: Manifest,
  isTransfer: boolean,
  followed: StoredStreams["followed"] = new Map(),
): SealedLinkFile[] {
  const sizes = streamSizes(manifest.files);
  const link = `/api/files/download/${downloadId}`;
  const named = new Set<number>();
  return manifest.files.map(({ stream, type, ...file }, index) => {
    // The first file of a stream has the stream's number, under which the server reports the stream's progress.
    const n = isTransfer && !named.has(stream) ? stream : MAX_ENTRY_NUMBERS + index;
    named.add(stream);
    return {
      ...file,
      n,
      type: mimeTypeOf(file.name, type),
      stream,
      entry: isTransfer ? stream : null,
      streamBytes: sizes.get(stream) ?? 0,
      url: followed.get(stream) ?? (isTransfer ? `${link}/entries/${stream}/content` : `${link}/content`),
      isFollowed: followed.has(stream),
    };
  });
}

/**
 * Leaves out files that the sender has removed. @param isReady whether the upload has ended, so that no stream follows
 * @throws SealError `damaged` if the size of a stream differs between server and manifest
 */
export function presentFiles(
  files: readonly SealedLinkFile[],
  streams: StoredStreams,
  isReady: boolean,
): SealedLinkFile[] {
  return files.filter(({ stream, streamBytes }) => {
    const storedBytes = streams.bytes.get(stream);
    if (storedBytes === undefined) return !isReady && stream > streams.last;
    if (openedSize(storedBytes) !== streamBytes)
      throw new SealError("damaged", "The server has another size than the list of files.");
    return true;
  });
}

/** @returns how many server streams the manifest lacks. For a finished upload, to which no stream is added. */
function countUnlisted({ files }: Manifest, streams: StoredStreams): number {
  const listed = new Set(files.map(({ stream }) => stream));
  return [...streams.bytes.keys()].filter((stream) => !listed.has(stream)).length;
}

/** @returns the transfer's title, else the name of its only file, else `fallback` */
export function titleOf({ title, files }: Manifest, fallback: string): string {
  if (title !== undefined && title !== "") return title;
  const [first, ...others] = files;
  return first && others.length === 0 ? nameOf(first.name) : fallback;
}

function isSingle(info: DownloadInfo, { files }: Manifest): boolean {
  return !info.transfer && files.length === 1;
}

/** @returns the page's information with the names and sizes of the manifest @param title the transfer's title */
export function describeSealed(
  info: DownloadInfo,
  manifest: Manifest,
  files: readonly SealedLinkFile[],
  title: string,
  pictures: StoredStreams["pictures"] = new Map(),
): { info: DownloadInfo; list: ListedEntries | null } {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const [file] = files;
  if (isSingle(info, manifest) && file) {
    const { name, size, type, sha256 } = file;
    const sum = sha256 === undefined ? {} : { sha256, sha256Source: "browser" as const };
    return { info: { ...info, filename: nameOf(name), size, mimeType: type, ...sum }, list: null };
  }
  const { stored, pictures: pictureCount } = info.transfer ?? {};
  const transfer = {
    title,
    entries: files.length,
    bytes,
    message: manifest.message === undefined || manifest.message === "" ? null : manifest.message,
    ...(stored && { stored: storedNumbers(files, stored) }),
    ...(pictureCount !== undefined && { pictures: pictureCount }),
  };
  const list = listFiles(files, stored, pictures);
  return { info: { ...info, filename: archiveName(title), size: bytes, transfer }, list };
}

function storedNumbers(files: readonly SealedLinkFile[], stored: Runs): Runs {
  return toRuns(files.filter(({ stream }) => containsNumber(stored, stream)).map(({ n }) => n));
}

function listFiles(
  files: readonly SealedLinkFile[],
  stored: Runs | undefined,
  pictures: StoredStreams["pictures"],
): ListedEntries {
  const entries = files.map(({ n, name, size, mtime, type, stream, sha256, url, isFollowed }) => {
    const isStored = !stored || containsNumber(stored, stream);
    const state: EntryState = isStored ? "stored" : isFollowed ? "arriving" : "waiting";
    // The stream's address and picture are those of its first file.
    const isFirst = n === stream;
    const picture = isFirst ? pictures.get(stream) : undefined;
    return {
      n,
      path: name,
      size,
      modifiedAt: new Date(mtime).toISOString(),
      type,
      state,
      ...(picture && { picture }),
      ...(state === "arriving" && isFirst && { followUrl: url }),
      ...(sha256 !== undefined && { sha256 }),
    };
  });
  return { entries, total: entries.length };
}

/** The files that a button asks for, and the name under which they are saved. */
export interface Wanted extends Content {
  files: readonly SealedLinkFile[];
  name: string;
}

const BYTES = /(?:\/entries\/(\d+))?\/content(?:\?(?:.*&)?pick=([\w-]+))?/;

/**
 * @param href the URL of bytes, as pages of plain links write it: of everything, a selection, or one file
 * @param title the transfer's title @returns null if the link has no such file (any more)
 */
export function findWanted(href: string, files: readonly SealedLinkFile[], title: string): Wanted | null {
  const [, entry, pick] = BYTES.exec(href) ?? [];
  if (entry !== undefined) return single(files.find(({ n }) => n === Number(entry)));
  if (pick !== undefined) {
    const numbers = new Set(parsePick(pick, 2 * MAX_ENTRY_NUMBERS));
    const picked = files.filter(({ n }) => numbers.has(n));
    return { files: picked, isArchive: true, name: archiveName(title, picked.length) };
  }
  const isOneFile = files.length === 1 && files[0]?.entry === null;
  return isOneFile ? single(files[0]) : { files, isArchive: true, name: archiveName(title) };
}

function single(file: SealedLinkFile | undefined): Wanted | null {
  return file ? { files: [file], isArchive: false, name: nameOf(file.name) } : null;
}

export interface DescribedLink {
  title: string;
  files: SealedLinkFile[];
  info: DownloadInfo;
  list: ListedEntries | null;
  /** The number of streams that the sender's list does not name. 0 while the transfer arrives. */
  unlisted: number;
}

/**
 * @param link the newest list that this page has @param fallback the title of a transfer without a title
 * @returns null while the server has a newer list, which is needed to describe the link
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
  const files = presentFiles(
    placeFiles(downloadId, manifest, info.transfer !== undefined, streams.followed),
    streams,
    isReady,
  );
  const title = titleOf(manifest, fallback);
  const unlisted = isReady ? countUnlisted(manifest, streams) : 0;
  return { title, files, unlisted, ...describeSealed(info, manifest, files, title, streams.pictures) };
}
