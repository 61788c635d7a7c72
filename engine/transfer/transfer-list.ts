import { toHex } from "#domain/bytes-as-text.ts";
import { portablePaths } from "#domain/transfers/portable-paths.ts";

/** A file, or an empty folder, as it was dropped or chosen. */
export interface ChosenItem {
  /** Folders are divided by slashes. */
  path: string;
  /** Null for an empty folder. */
  file: File | null;
  /** Reads the file anew from the disk after it changed, if that is possible without a new choice of the person. */
  reload?: () => Promise<File>;
}

export interface TransferListEntry {
  /** A path that every system can hold. The path of an empty folder ends in a slash. */
  path: string;
  /** Null for an empty folder. */
  file: File | null;
  sizeBytes: number;
  /** Epoch milliseconds, whole; 0 for an empty folder. */
  modifiedMs: number;
  reload?: (() => Promise<File>) | undefined;
}

/** The files that are about to be sent. Equal choices make equal lists, on every device. */
export interface TransferList {
  /** In the order of the paths' UTF-16 units. */
  entries: TransferListEntry[];
  bytes: number;
  /** How many names were changed, so that every system can hold the names. */
  changedNames: number;
  /** How many files of the system's own are not sent, such as `.DS_Store`. */
  leftOut: number;
}

export function prepareList(items: readonly ChosenItem[]): TransferList {
  // Which of two equal names gets a number must not depend on the order of the drop.
  const sorted = items
    .map((item) => ({ key: item.path.normalize("NFC"), item }))
    .sort((a, b) => compareUnits(a.key, b.key))
    .map(({ item }) => item);
  const { paths, changedCount, leftOut } = portablePaths(
    sorted.map(({ path, file }) => ({ path, isFolder: file === null })),
  );
  const entries = sorted.flatMap((item, index) => {
    const path = paths[index];
    return path == null ? [] : [toEntry(path, item)];
  });
  entries.sort((a, b) => compareUnits(a.path, b.path));
  const bytes = entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return { entries, bytes, changedNames: changedCount, leftOut };
}

export function toEntry(path: string, { file, reload }: Omit<ChosenItem, "path">): TransferListEntry {
  return { path, file, sizeBytes: file?.size ?? 0, modifiedMs: Math.trunc(file?.lastModified ?? 0), reload };
}

/**
 * Tells one list from another, so that an unfinished transfer of the same list can be resumed on any device.
 * @param entries in any order
 * @returns the SHA-256, in 64 hexadecimal digits, of a line `path NUL size NUL date LF` for each entry in the order of
 * the paths' UTF-16 units
 */
export async function fingerprintOf(
  entries: readonly Pick<TransferListEntry, "path" | "sizeBytes" | "modifiedMs">[],
): Promise<string> {
  const lines = entries
    .toSorted((a, b) => compareUnits(a.path, b.path))
    .map(({ path, sizeBytes, modifiedMs }) => `${path}\0${sizeBytes}\0${modifiedMs}\n`);
  return toHex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(lines.join(""))));
}

/** The order of two texts by their UTF-16 units. */
function compareUnits(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
