import { nameOf } from "#app/ui/entries/entry-folders.ts";
import { archiveName } from "#domain/file-names.ts";
import { mimeTypeOf } from "#domain/mime.ts";
import { streamSizes, type Manifest } from "#domain/seal/manifest.ts";
import { SealError } from "#domain/seal/seal-error.ts";
import { openedSize } from "#domain/seal/sizes.ts";
import { MAX_ENTRY_NUMBERS } from "#domain/transfers/limits.ts";
import { containsNumber, toRuns, type Runs } from "#domain/transfers/runs.ts";
import { parsePick } from "#domain/transfers/selection.ts";
import type { DownloadInfo, EntryState, ListedEntries } from "#domain/wire.ts";
import type { Content, PlacedFile } from "./reader/sources.ts";

/** A file of a sealed link, as its page lists it. */
export interface SealedLinkFile extends PlacedFile {
  /** In the page's list. */
  n: number;
  /** The number of the server's entry that holds the file; null where the link is one stored file. */
  entry: number | null;
  type: string;
  sha256?: string;
}

/** What the server stores: the bytes of each stream by its number. */
export interface StoredStreams {
  bytes: ReadonlyMap<number, number>;
  /** Streams up to this one have been announced: what is missing below it was removed. -1: none */
  last: number;
}

/** @param downloadId of the link @param isTransfer each stream is an entry */
export function placeFiles(downloadId: string, manifest: Manifest, isTransfer: boolean): SealedLinkFile[] {
  const sizes = streamSizes(manifest.files);
  const link = `/api/files/download/${downloadId}`;
  const named = new Set<number>();
  return manifest.files.map(({ stream, type, ...file }, index) => {
    // The first file of a stream has its number, under which the server tells of its progress.
    const n = isTransfer && !named.has(stream) ? stream : MAX_ENTRY_NUMBERS + index;
    named.add(stream);
    return {
      ...file,
      n,
      type: mimeTypeOf(file.name, type),
      stream,
      entry: isTransfer ? stream : null,
      streamBytes: sizes.get(stream) ?? 0,
      url: isTransfer ? `${link}/entries/${stream}/content` : `${link}/content`,
    };
  });
}

/**
 * Leaves out what the sender has removed since the manifest was written.
 * @param isReady nothing more will come
 * @throws SealError `damaged` when the server has another size for a stream than the manifest
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

/**
 * For a link whose upload has ended: its sender removes files, but adds none.
 * @returns how many streams the server has that no file of the manifest is in
 */
function countUnlisted({ files }: Manifest, streams: StoredStreams): number {
  const listed = new Set(files.map(({ stream }) => stream));
  return [...streams.bytes.keys()].filter((stream) => !listed.has(stream)).length;
}

/** @returns the name of one file, or of the transfer */
export function titleOf({ title, files }: Manifest, fallback: string): string {
  if (title !== undefined && title !== "") return title;
  const [first, ...others] = files;
  return first && others.length === 0 ? nameOf(first.name) : fallback;
}

/** Whether the link is shown as one file. */
function isSingle(info: DownloadInfo, { files }: Manifest): boolean {
  return !info.transfer && files.length === 1;
}

/** The information of the page, with what only the manifest knows. @param title of the transfer */
export function describeSealed(
  info: DownloadInfo,
  manifest: Manifest,
  files: readonly SealedLinkFile[],
  title: string,
): { info: DownloadInfo; list: ListedEntries | null } {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const [file] = files;
  if (isSingle(info, manifest) && file) {
    const { name, size, type, sha256 } = file;
    const sum = sha256 === undefined ? {} : { sha256, sha256Source: "browser" as const };
    return { info: { ...info, filename: nameOf(name), size, mimeType: type, ...sum }, list: null };
  }
  const stored = info.transfer?.stored;
  const transfer = {
    title,
    entries: files.length,
    bytes,
    message: manifest.message === undefined || manifest.message === "" ? null : manifest.message,
    ...(stored && { stored: storedNumbers(files, stored) }),
  };
  return { info: { ...info, filename: archiveName(title), size: bytes, transfer }, list: listFiles(files, stored) };
}

function storedNumbers(files: readonly SealedLinkFile[], stored: Runs): Runs {
  return toRuns(files.filter(({ stream }) => containsNumber(stored, stream)).map(({ n }) => n));
}

function listFiles(files: readonly SealedLinkFile[], stored: Runs | undefined): ListedEntries {
  const entries = files.map(({ n, name, size, mtime, type, stream, sha256 }) => {
    const state: EntryState = !stored || containsNumber(stored, stream) ? "stored" : "waiting";
    const listed = { n, path: name, size, modifiedAt: new Date(mtime).toISOString(), type, state };
    return sha256 === undefined ? listed : { ...listed, sha256 };
  });
  return { entries, total: entries.length };
}

/** What a click asks for. */
export interface Wanted extends Content {
  files: readonly SealedLinkFile[];
  name: string;
}

const BYTES = /(?:\/entries\/(\d+))?\/content(?:\?(?:.*&)?pick=([\w-]+))?/;

/**
 * @param href of bytes, as the pages of plain links name them: of everything, a selection, or one file
 * @param title of the transfer @returns null for what is not there (any more)
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

/** What the page of an opened link shows. */
export interface DescribedLink {
  title: string;
  files: SealedLinkFile[];
  info: DownloadInfo;
  list: ListedEntries | null;
  /** How many files the server holds that the sender's list does not name. 0 while the transfer arrives. */
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
