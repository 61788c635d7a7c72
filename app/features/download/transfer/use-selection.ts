import { useMemo, useState } from "react";
import type { TreeFolder } from "#app/ui/entries/entry-folders.ts";
import type { EntrySelection } from "#app/ui/entries/entry-selection.ts";
import type { EntryList, EntryListSnapshot, TransferEntry } from "./entry-list.ts";
import { changeSelection, isSelected, NOTHING } from "./selection.ts";

interface TransferSelection {
  /** For the tree. */
  tree: EntrySelection<TransferEntry>;
  /** In the order of the list. */
  entries: readonly TransferEntry[];
  isAll: boolean;
  /** Whether anything can be selected. */
  isAny: boolean;
  /** More of the list has to come before it is known what is selected. */
  isLoading: boolean;
  toggleAll(): void;
  clear(): void;
}

/** Only entries that are stored can be selected. */
export function useSelection(list: EntryList, { entries, isComplete, version }: EntryListSnapshot): TransferSelection {
  const [selection, setSelection] = useState(NOTHING);
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
          setSelection({ ...NOTHING, numbers });
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
      if (isAll) setSelection(NOTHING);
      else {
        setSelection({
          ...NOTHING,
          numbers: new Set(entries.filter(canSelect).map(({ n }) => n)),
          folders: isComplete ? [] : [""],
        });
        void list.loadAll();
      }
    },
    clear: () => {
      setSelection(NOTHING);
    },
  };
}
