import { WINDOWS_DEVICE } from "../file-names.ts";
import { MAX_PATH_BYTES, MAX_PATH_DEPTH, MAX_SEGMENT_BYTES } from "./limits.ts";

/**
 * Characters that Windows allows in no name, line breaks, control characters and direction overrides. The direction
 * marks U+200E and U+200F are common in Hebrew and Arabic names: they are allowed.
 */
export const FORBIDDEN_IN_SEGMENT = /[<>:"\\|?*\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/**
 * Whether every system can hold the path. An empty folder's path ends in one slash. Whoever announces a path has made
 * it so (`portablePaths`): a path that is refused is never changed on the way.
 */
export function checkPath(path: string): boolean {
  // Also spares the work on a long text: no character takes less than a byte.
  if (path.length > MAX_PATH_BYTES || isLongerThan(path, MAX_PATH_BYTES)) return false;
  if (!path.isWellFormed() || path !== path.normalize("NFC") || FORBIDDEN_IN_SEGMENT.test(path)) return false;
  const segments = path.replace(/\/$/, "").split("/");
  return segments.length <= MAX_PATH_DEPTH && segments.every(isPortableSegment);
}

/** Windows drops dots and spaces at the end, which also rules out `.` and `..`. */
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

/** Most paths are ASCII: a look at the text takes a fraction of the time that encoding it takes. */
export function utf8Length(text: string): number {
  return NOT_ASCII.test(text) ? encoder.encode(text).length : text.length;
}

/** Whether the text takes more bytes in UTF-8. Most texts are too short for that, and are not encoded. */
export function isLongerThan(text: string, maxBytes: number): boolean {
  // No UTF-16 unit takes more than three bytes.
  return text.length * 3 > maxBytes && utf8Length(text) > maxBytes;
}

/** `same`: they differ at most in case. `folder`: one path is a file, the other has a folder of that name. */
export type PathConflict = "same" | "folder";

/**
 * The paths of a transfer, in lower case and sorted, to find conflicts. Folders are not stored: 10,000 paths may have
 * 640,000 of them.
 */
export class PathSet {
  /** Ascending by UTF-16 units. */
  readonly #keys: string[];
  /**
   * The folder of the path that was added last. No file has the path of this folder, or of one above it. The next path
   * is usually in the same folder, and is then not checked again for that.
   */
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

  /** Makes room for another entry of this path. */
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

  /** The first key that is not before this one. */
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

/** The key up to its last slash, included. For an empty folder that is all of it. */
function folderOf(key: string): string {
  return key.slice(0, key.lastIndexOf("/") + 1);
}

function keyOf(path: string): string {
  return path.toLowerCase();
}
