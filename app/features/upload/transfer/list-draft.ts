import {
  prepareList,
  type ChosenItem,
  type TransferList,
  type TransferListEntry,
} from "#engine/transfer/transfer-list.ts";

export const EMPTY_LIST: TransferList = { entries: [], bytes: 0, changedNames: 0, leftOut: 0 };

export interface ExtendedList {
  /** The old entries and the new ones. */
  list: TransferList;
  /** The new ones alone. */
  added: TransferList;
  /** How many files were in the list already, with the same path, size and date. They are not added again. */
  alreadyThere: number;
}

/** Adds what was chosen later. A new file whose name is taken gets another one, such as "a (2).txt". */
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

export function listOf(entries: TransferListEntry[]): TransferList {
  const bytes = entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return { entries, bytes, changedNames: 0, leftOut: 0 };
}

/** What stands at the top of a list, each name once: folders first, then files. */
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

/** The last segment, without the slash of a folder. */
export function nameOf(path: string): string {
  return path.replace(/\/$/, "").split("/").at(-1) ?? path;
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
