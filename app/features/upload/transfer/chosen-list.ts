import { nameOf } from "#app/ui/entries/entry-folders.ts";
import { portableName } from "#domain/transfers/portable-paths.ts";
import { FILENAME_MAX_LENGTH } from "#domain/wire.ts";
import {
  prepareList,
  type ChosenItem,
  type TransferList,
  type TransferListEntry,
} from "#engine/transfer/transfer-list.ts";
import type { Translate } from "#messages/translate.ts";

export const EMPTY_LIST: TransferList = { entries: [], bytes: 0, changedNames: 0, leftOut: 0 };

export interface ExtendedList {
  /** The old and the new entries. */
  list: TransferList;
  /** The new entries alone. */
  added: TransferList;
  /** How many files were in the list already, with the same path, size and date. These files are not added again. */
  alreadyThere: number;
}

/** Adds files to a list. A new file with a taken name gets another name, such as "a (2).txt". */
export function extendList(list: TransferList, items: readonly ChosenItem[]): ExtendedList {
  const known = new Set(list.entries.map(keyOf));
  const fresh = items.filter(({ path, file }) => !known.has(keyOfItem(path, file)));
  // The old entries come first: of two equal names, the later one is changed.
  const prepared = prepareList([...list.entries, ...fresh]);
  const old = new Set(list.entries.map(({ path, file }) => file ?? path));
  const added = listOf(prepared.entries.filter(({ path, file }) => !old.has(file ?? path)));
  const notices = {
    changedNames: list.changedNames + prepared.changedNames,
    leftOut: list.leftOut + prepared.leftOut,
  };
  return { list: { ...prepared, ...notices }, added, alreadyThere: items.length - fresh.length };
}

export function withoutEntries(list: TransferList, removed: ReadonlySet<TransferListEntry>): TransferList {
  return { ...list, ...listOf(list.entries.filter((entry) => !removed.has(entry))), ...noticesOf(list) };
}

function listOf(entries: TransferListEntry[]): TransferList {
  const bytes = entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return { entries, bytes, changedNames: 0, leftOut: 0 };
}

/** The names at the top level of a list, each once: folders first, then files. */
export function rootsOf({ entries }: TransferList): string[] {
  const folders = new Set<string>();
  const files = new Set<string>();
  for (const { path } of entries) {
    const slash = path.indexOf("/");
    if (slash >= 0) folders.add(path.slice(0, slash));
    else files.add(path);
  }
  return [...folders, ...files];
}

function noticesOf({ changedNames, leftOut }: TransferList): Pick<TransferList, "changedNames" | "leftOut"> {
  return { changedNames, leftOut };
}

function keyOf({ path, sizeBytes, modifiedMs }: TransferListEntry): string {
  return `${path}\n${sizeBytes}\n${modifiedMs}`;
}

function keyOfItem(path: string, file: File | null): string {
  return file ? `${path}\n${file.size}\n${Math.trunc(file.lastModified)}` : `${path}/\n0\n0`;
}

type NoticeCounts = Pick<TransferList, "changedNames" | "leftOut">;

/** The files that were chosen for a transfer and not removed, by path. */
export class ChosenFiles {
  readonly #byPath = new Map<string, TransferListEntry>();
  #counts: NoticeCounts = { changedNames: 0, leftOut: 0 };

  /** Replaces all files. */
  set(list: TransferList): void {
    this.#byPath.clear();
    this.add(list.entries, list);
  }

  /** @param counts counts of all chosen files, the added entries included */
  add(added: readonly TransferListEntry[], { changedNames, leftOut }: NoticeCounts): void {
    for (const entry of added) this.#byPath.set(entry.path, entry);
    this.#counts = { changedNames, leftOut };
  }

  find(path: string): TransferListEntry | undefined {
    return this.#byPath.get(path);
  }

  /** @param file the file that the person chose again */
  replace(path: string, file: File): void {
    const reload = this.#byPath.get(path)?.reload;
    const modifiedMs = Math.trunc(file.lastModified);
    this.#byPath.set(path, { path, file, sizeBytes: file.size, modifiedMs, reload });
  }

  remove(path: string): void {
    this.#byPath.delete(path);
  }

  /** @param left paths of entries to leave out */
  list(left: ReadonlySet<string> = new Set()): TransferList {
    const entries = [...this.#byPath.values()].filter(({ path }) => !left.has(path));
    return { ...listOf(entries.sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)))), ...this.#counts };
  }
}

/** A default title for a transfer of the listed files. "" for an empty list. */
export function defaultTitle(list: TransferList, t: Translate<"transferUpload">): string {
  const [first = "", second = "", ...others] = rootsOf(list);
  if (second === "") return first;
  const title =
    others.length === 0 ? t("titleOfTwo", { first, second }) : t("titleOfMany", { first, count: others.length + 1 });
  return title.length > FILENAME_MAX_LENGTH ? first : title;
}

/** The number that `portablePaths` puts before the extension of equal names. */
const NUMBER = / \(\d+\)(?=(\.[^.]*)?$)/;

/**
 * Whether a chosen file has the name of an entry. Paths of entries hold portable names, so both names are compared in
 * their portable form. @param earlier the name on the disk of the file that was chosen first; null when this device
 * never had it
 */
export function isSameName(chosen: string, path: string, earlier: string | null): boolean {
  const name = portableName(chosen);
  if (earlier !== null) return name === portableName(earlier);
  return name === nameOf(path) || name === nameOf(path).replace(NUMBER, "");
}
