import { useMemo, useState } from "react";
import type { TreeEntry, TreeFolder } from "#app/ui/entries/entry-folders.ts";
import type { EntrySelection } from "#app/ui/entries/entry-rows.ts";
import type { EntryList, EntryListSnapshot, TransferEntry } from "./entry-list.ts";

/** A person's selection in a list that may still be loading. */
export interface Selection {
  numbers: ReadonlySet<number>;
  /** Folders selected as a whole ("" is everything), including their entries that are not loaded yet. */
  folders: readonly string[];
  /** Entries and folders that were deselected inside the selected folders. */
  without: { numbers: ReadonlySet<number>; folders: readonly string[] };
}

const NONE = { numbers: new Set<number>(), folders: [] };
export const NO_SELECTION: Selection = { ...NONE, without: NONE };

export function isSelected({ numbers, folders, without }: Selection, { n, path }: TreeEntry): boolean {
  if (numbers.has(n)) return true;
  const isBelow = (folder: string) => path.startsWith(folder);
  return folders.some(isBelow) && !without.numbers.has(n) && !without.folders.some(isBelow);
}

/**
 * Changes a selection while the list is still loading.
 * @param before the selected entries @param numbers of the entries selected after the change
 * @param folder set if a folder's box was clicked
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

interface TransferSelection {
  /** The selection as `EntryTree` takes it. */
  tree: EntrySelection<TransferEntry>;
  /** The selected entries in the order of the list. */
  entries: readonly TransferEntry[];
  isAll: boolean;
  /** Whether any entry can be selected. */
  isAny: boolean;
  /** Whether more of the list has to load before the selected entries are known. */
  isLoading: boolean;
  toggleAll(): void;
  clear(): void;
}

/** The selection of a transfer's files. Only stored entries can be selected. */
export function useSelection(list: EntryList, { entries, isComplete, version }: EntryListSnapshot): TransferSelection {
  const [selection, setSelection] = useState(NO_SELECTION);
  const canSelect = useMemo(
    () => (entry: TransferEntry) => list.stateOf(entry) === "stored",
    // oxlint-disable-next-line react/exhaustive-deps -- states change with the version
    [list, version],
  );
  const selected = useMemo(
    () => entries.filter((entry) => isSelected(selection, entry) && canSelect(entry)),
    [entries, selection, canSelect],
  );
  const tree = useMemo(
    () => ({
      selected: new Set(selected.map(({ n }) => n)),
      canSelect,
      onChange: (numbers: ReadonlySet<number>, folder?: TreeFolder<TransferEntry>) => {
        if (isComplete) {
          setSelection({ ...NO_SELECTION, numbers });
          return;
        }
        const changed = changeSelection(selection, selected, numbers, folder);
        setSelection(changed);
        if (changed.folders.length > 0) void list.loadAll();
      },
    }),
    [selected, canSelect, isComplete, list, selection],
  );
  const isLoading = selection.folders.length > 0 && !isComplete;
  const selectableCount = useMemo(() => entries.filter(canSelect).length, [entries, canSelect]);
  const isAll = selectableCount > 0 && selected.length === selectableCount;
  return {
    tree,
    entries: selected,
    isAll,
    isAny: selectableCount > 0,
    isLoading,
    toggleAll: () => {
      if (isAll) setSelection(NO_SELECTION);
      else {
        setSelection({
          ...NO_SELECTION,
          numbers: new Set(entries.filter(canSelect).map(({ n }) => n)),
          folders: isComplete ? [] : [""],
        });
        void list.loadAll();
      }
    },
    clear: () => setSelection(NO_SELECTION),
  };
}
