import { WINDOWS_DEVICE } from "../file-names.ts";
import { MAX_PATH_BYTES, MAX_PATH_DEPTH, MAX_SEGMENT_BYTES } from "./limits.ts";

/**
 * Characters that Windows forbids in names, line breaks, control characters and direction overrides. The direction
 * marks U+200E and U+200F are allowed, because they are common in Hebrew and Arabic names.
 */
export const FORBIDDEN_IN_SEGMENT = /[<>:"\\|?*\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/**
 * Whether every system can hold the path. An empty folder's path ends in one slash. `portablePaths` makes such paths
 * for the sender; the server refuses other paths, and never changes them.
 */
export function checkPath(path: string): boolean {
  // The comparison of characters saves the work of encoding a long text: no character takes less than a byte.
  if (path.length > MAX_PATH_BYTES || isLongerThan(path, MAX_PATH_BYTES)) return false;
  if (!path.isWellFormed() || path !== path.normalize("NFC") || FORBIDDEN_IN_SEGMENT.test(path)) return false;
  const segments = path.replace(/\/$/, "").split("/");
  return segments.length <= MAX_PATH_DEPTH && segments.every(isPortableSegment);
}

/** Windows drops dots and spaces at the end of a name. Refusing such names also excludes `.` and `..`. */
function isPortableSegment(segment: string): boolean {
  return (
    segment !== "" &&
    !segment.endsWith(".") &&
    !segment.endsWith(" ") &&
    !WINDOWS_DEVICE.test(segment) &&
    !isLongerThan(segment, MAX_SEGMENT_BYTES)
  );
}

const encoder = new TextEncoder();
const NOT_ASCII = /[\u0080-\uffff]/;

/** The length of a text in UTF-8. Most paths are ASCII, and a search for other characters is faster than encoding. */
export function utf8Length(text: string): number {
  return NOT_ASCII.test(text) ? encoder.encode(text).length : text.length;
}

/** Whether the text takes more bytes in UTF-8 than `maxBytes`. Most texts are too short, and are not encoded. */
export function isLongerThan(text: string, maxBytes: number): boolean {
  // No UTF-16 unit takes more than three bytes.
  return text.length * 3 > maxBytes && utf8Length(text) > maxBytes;
}

/** `same`: the paths differ at most in case. `folder`: one path is a file, and the other has a folder of that name. */
export type PathConflict = "same" | "folder";

/**
 * Finds conflicts of paths. The set stores only the paths, sorted and in lower case: 10,000 paths may have 640,000
 * folders.
 */
export class PathSet {
  /** The lower-case paths, ascending by UTF-16 units. */
  readonly #keys: string[];
  /** The folder of the last added path. Further paths in this folder skip the check for files in place of a folder. */
  #knownFolder = "";

  /** @param paths without conflicts */
  constructor(paths: Iterable<string> = []) {
    this.#keys = Array.from(paths, keyOf).sort();
  }

  /** @returns null when the path can be added */
  conflictOf(path: string): PathConflict | null {
    const key = keyOf(path);
    if (this.#has(key)) return "same";
    const folder = folderOf(key);
    for (
      let slash = folder === this.#knownFolder ? -1 : key.indexOf("/");
      slash >= 0;
      slash = key.indexOf("/", slash + 1)
    ) {
      if (this.#has(key.slice(0, slash))) return "folder";
    }
    return !key.endsWith("/") && this.#holdsFolder(`${key}/`) ? "folder" : null;
  }

  /** @param path without a conflict */
  add(path: string): void {
    const key = keyOf(path);
    this.#keys.splice(this.#indexOf(key), 0, key);
    this.#knownFolder = folderOf(key);
  }

  /** Removes a path, so that another entry can have it. */
  remove(path: string): void {
    const key = keyOf(path);
    if (this.#has(key)) this.#keys.splice(this.#indexOf(key), 1);
    this.#knownFolder = "";
  }

  #has(key: string): boolean {
    return this.#keys[this.#indexOf(key)] === key;
  }

  #holdsFolder(prefix: string): boolean {
    return this.#keys[this.#indexOf(prefix)]?.startsWith(prefix) ?? false;
  }

  /** The index of the first key that does not sort before this key. */
  #indexOf(key: string): number {
    let [low, high] = [0, this.#keys.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#keys[middle] ?? "") < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The key up to its last slash, included. For an empty folder, the result is the whole key. */
function folderOf(key: string): string {
  return key.slice(0, key.lastIndexOf("/") + 1);
}

function keyOf(path: string): string {
  return path.toLowerCase();
}
