import { WINDOWS_DEVICE } from "../file-names.ts";
import { MAX_PATH_BYTES, MAX_PATH_DEPTH } from "./limits.ts";
import { FORBIDDEN_IN_SEGMENT, isLongerThan, utf8Length } from "./paths.ts";

const FORBIDDEN = new RegExp(FORBIDDEN_IN_SEGMENT, "gu");

/** Files that operating systems write into folders, in lower case. */
const SYSTEM_NAMES = new Set([".ds_store", "thumbs.db", "desktop.ini", "__macosx"]);

/** Space for " (10000)" and more: a number that makes a name unique is added after the name is cut. */
const NUMBER_BYTES = 15;
/**
 * Lengths in UTF-8 to which segments are cut: to the next length if the whole path is too long. The last always fits.
 */
const SEGMENT_BYTES = 240;
const SEGMENT_CUTS = [SEGMENT_BYTES, 120, 60, 30, 13];

/** An item of a drop or of a chosen folder. */
export interface ChosenPath {
  /** The path, with slashes between folders. */
  path: string;
  /** Whether the item is an empty folder. */
  isFolder: boolean;
}

export interface PortablePaths {
  /** The paths in the order of the list, each valid for `checkPath` and `PathSet`. Null for items that are left out. */
  paths: (string | null)[];
  /** The number of items with a changed name. A change to NFC does not count: nobody sees the form of accents. */
  changedCount: number;
  /** The number of files that are left out as the system's own, such as `.DS_Store`. */
  leftOut: number;
}

/** Gives each file a unique path that every system can hold. Equal lists get equal paths. */
export function portablePaths(list: readonly ChosenPath[]): PortablePaths {
  const cleaned = list.map((item) => (isOfSystem(item.path) ? null : cleanPath(item)));
  const paths = makeUnique(cleaned);
  return {
    paths,
    changedCount: paths.filter((path, index) => path !== null && path !== originalPath(list[index])).length,
    leftOut: paths.filter((path) => path === null).length,
  };
}

/** @param name of a single file @returns a name that every system can hold */
export function portableName(name: string): string {
  return cleanSegment(name.replaceAll("/", "_"), SEGMENT_BYTES) || "_";
}

/** Makes the names of files in one folder portable. Equal names get numbers. */
export function portableNames(names: readonly string[]): string[] {
  return makeUnique(names.map(portableName)).filter((name) => name !== null);
}

function originalPath(item: ChosenPath | undefined): string {
  return item ? `${segmentsOf(item.path).join("/").normalize("NFC")}${item.isFolder ? "/" : ""}` : "";
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}

function isOfSystem(path: string): boolean {
  return segmentsOf(path).some((segment) => SYSTEM_NAMES.has(segment.toLowerCase()));
}

function cleanPath({ path, isFolder }: ChosenPath): string {
  const segments = segmentsOf(path);
  const kept =
    segments.length <= MAX_PATH_DEPTH ? segments : [...segments.slice(0, MAX_PATH_DEPTH - 1), ...segments.slice(-1)];
  let cleaned = "_";
  for (const maxBytes of SEGMENT_CUTS) {
    cleaned = kept.map((segment) => cleanSegment(segment, maxBytes)).join("/") || "_";
    if (!isLongerThan(cleaned, MAX_PATH_BYTES - NUMBER_BYTES - 1)) break;
  }
  return isFolder ? `${cleaned}/` : cleaned;
}

/** @returns a segment of at most one byte more than `maxBytes` */
function cleanSegment(segment: string, maxBytes: number): string {
  const allowed = segment.toWellFormed().normalize("NFC").replace(FORBIDDEN, "_");
  const cut = replaceEnd(cutSegment(replaceEnd(allowed), maxBytes));
  return WINDOWS_DEVICE.test(cut) ? `_${cut}` : cut;
}

function replaceEnd(segment: string): string {
  return segment.replace(/[. ]+$/, (end) => "_".repeat(end.length));
}

/** Keeps the extension unless it takes more than half of the bytes. */
function cutSegment(segment: string, maxBytes: number): string {
  if (!isLongerThan(segment, maxBytes)) return segment;
  const [stem, extension] = splitExtension(segment);
  if (utf8Length(extension) > maxBytes / 2) return cutText(segment, maxBytes);
  return cutText(stem, maxBytes - utf8Length(extension)) + extension;
}

/** Cuts a text to a length in UTF-8, but never within a character. */
function cutText(text: string, maxBytes: number): string {
  const bytes = new Uint8Array(maxBytes);
  const { read } = new TextEncoder().encodeInto(text, bytes);
  return text.slice(0, read);
}

/** @returns the extension with its dot. `.bashrc` has no extension. */
function splitExtension(name: string): [stem: string, extension: string] {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
}

/**
 * Adds numbers to conflicting names: to a file's if a folder has the same path, and to the later of two equal paths.
 */
function makeUnique(paths: readonly (string | null)[]): (string | null)[] {
  const present = paths.filter((path) => path !== null);
  const folders = foldersOf(present);
  // A number must not produce the name that another file has from the start.
  const reserved = new Set(present.map(nameKey));
  const taken = new Set<string>();
  const nextNumbers = new Map<string, number>();
  const isFree = (key: string) => !taken.has(key) && !taken.has(`${key}/`) && !folders.has(key) && !reserved.has(key);

  const uniquePath = (path: string): string => {
    const key = path.toLowerCase();
    if (!taken.has(key) && !folders.has(key)) return path;
    let number = nextNumbers.get(key) ?? 2;
    while (!isFree(nameKey(withNumber(path, number)))) number += 1;
    nextNumbers.set(key, number + 1);
    return withNumber(path, number);
  };
  return paths.map((path) => {
    if (path === null) return null;
    const unique = uniquePath(path);
    taken.add(unique.toLowerCase());
    return unique;
  });
}

/** The folders of all paths, in lower case and without a slash at the end. An empty folder counts, too. */
function foldersOf(paths: readonly string[]): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    const key = path.toLowerCase();
    for (let slash = key.lastIndexOf("/"); slash >= 0; slash = key.lastIndexOf("/", slash - 1)) {
      const folder = key.slice(0, slash);
      // The folders above a known folder are known, too.
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

function nameKey(path: string): string {
  return path.toLowerCase().replace(/\/$/, "");
}

function withNumber(path: string, number: number): string {
  if (path.endsWith("/")) return `${path.slice(0, -1)} (${number})/`;
  const nameStart = path.lastIndexOf("/") + 1;
  const [stem, extension] = splitExtension(path.slice(nameStart));
  return `${path.slice(0, nameStart)}${stem} (${number})${extension}`;
}
