import { WINDOWS_DEVICE } from "../file-names.ts";
import { MAX_PATH_BYTES, MAX_PATH_DEPTH } from "./limits.ts";
import { FORBIDDEN_IN_SEGMENT, isLongerThan, utf8Length } from "./paths.ts";

const FORBIDDEN = new RegExp(FORBIDDEN_IN_SEGMENT, "gu");

/** What systems write beside files, in lower case. */
const SYSTEM_NAMES = new Set([".ds_store", "thumbs.db", "desktop.ini", "__macosx"]);

/** " (10000)" and more: a number that makes a name unique comes after the cut. */
const NUMBER_BYTES = 15;
/** For each segment, in UTF-8. Smaller ones are tried when the whole path is too long; the last always fits. */
const SEGMENT_BYTES = 240;
const SEGMENT_CUTS = [SEGMENT_BYTES, 120, 60, 30, 13];

/** An item of a drop or of a chosen folder. */
export interface ChosenPath {
  /** Folders are divided by slashes. */
  path: string;
  /** An empty folder. */
  isFolder: boolean;
}

export interface PortablePaths {
  /** In the order of the list, each as `checkPath` and `PathSet` take it; null for what is left out. */
  paths: (string | null)[];
  /** How many got another name. The form of accents (NFC) does not count, since nobody sees it. */
  changedCount: number;
  /** How many files are the system's own, such as `.DS_Store`. */
  leftOut: number;
}

/** Gives each file a path that every system can hold and no other file has. Equal lists get equal paths. */
export function portablePaths(list: readonly ChosenPath[]): PortablePaths {
  const cleaned = list.map((item) => (isOfSystem(item.path) ? null : cleanPath(item)));
  const paths = makeUnique(cleaned);
  return {
    paths,
    changedCount: paths.filter((path, index) => path !== null && path !== originalPath(list[index])).length,
    leftOut: paths.filter((path) => path === null).length,
  };
}

/** @param name of a single file @returns one that every system can hold */
export function portableName(name: string): string {
  return cleanSegment(name.replaceAll("/", "_"), SEGMENT_BYTES) || "_";
}

/** The same for files beside each other: equal names get numbers. */
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

/** At most one byte more than `maxBytes`. */
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

/** Never within a character. */
function cutText(text: string, maxBytes: number): string {
  const bytes = new Uint8Array(maxBytes);
  const { read } = new TextEncoder().encodeInto(text, bytes);
  return text.slice(0, read);
}

/** `.bashrc` has no extension. @returns the extension with its dot */
function splitExtension(name: string): [stem: string, extension: string] {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
}

/** A file gives way to a folder of its name, and a later path to an earlier one. */
function makeUnique(paths: readonly (string | null)[]): (string | null)[] {
  const present = paths.filter((path) => path !== null);
  const folders = foldersOf(present);
  // A name that gets a number must not take that of a file which has it from the start.
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

/** The folders of all paths, in lower case without a slash at the end; an empty folder is one itself. */
function foldersOf(paths: readonly string[]): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    const key = path.toLowerCase();
    for (let slash = key.lastIndexOf("/"); slash >= 0; slash = key.lastIndexOf("/", slash - 1)) {
      const folder = key.slice(0, slash);
      // Then the folders above it are known, too.
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
