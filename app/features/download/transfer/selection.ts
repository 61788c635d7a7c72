import type { TreeEntry, TreeFolder } from "#app/ui/entries/entry-folders.ts";

/** What a person has selected of a list that may still be loading. */
export interface Selection {
  numbers: ReadonlySet<number>;
  /** Folders that were selected as a whole ("" is everything): their entries that are not loaded yet belong to it. */
  folders: readonly string[];
  /** What was taken out of such a folder again: entries and whole folders. */
  without: { numbers: ReadonlySet<number>; folders: readonly string[] };
}

const NONE = { numbers: new Set<number>(), folders: [] };
export const NOTHING: Selection = { ...NONE, without: NONE };

export function isSelected({ numbers, folders, without }: Selection, { n, path }: TreeEntry): boolean {
  if (numbers.has(n)) return true;
  const isBelow = (folder: string) => path.startsWith(folder);
  return folders.some(isBelow) && !without.numbers.has(n) && !without.folders.some(isBelow);
}

/**
 * A change while the list is still loading.
 * @param before the selected entries
 * @param numbers those after the change
 * @param folder set when a folder's box was clicked
 */
export function changeSelection(
  { folders, without }: Selection,
  before: readonly TreeEntry[],
  numbers: ReadonlySet<number>,
  folder: TreeFolder | undefined,
): Selection {
  const takenOut = before.map(({ n }) => n).filter((n) => !numbers.has(n));
  const leftOut = new Set([...without.numbers, ...takenOut].filter((n) => !numbers.has(n)));
  if (!folder) return { numbers, folders, without: { numbers: leftOut, folders: without.folders } };
  const others = (paths: readonly string[]) => paths.filter((path) => !path.startsWith(folder.path));
  const isAdded = folder.entries.some(({ n }) => numbers.has(n));
  return {
    numbers,
    folders: isAdded ? [...others(folders), folder.path] : others(folders),
    without: {
      numbers: leftOut,
      folders: isAdded ? others(without.folders) : [...others(without.folders), folder.path],
    },
  };
}
