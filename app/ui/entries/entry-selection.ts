import type { TreeEntry, TreeFolder } from "./entry-folders.ts";

export interface EntrySelection<E extends TreeEntry = TreeEntry> {
  selected: ReadonlySet<number>;
  /** @param folder set when a folder's box was clicked: entries of it that load later belong to the selection as well */
  onChange(selected: ReadonlySet<number>, folder?: TreeFolder<E>): void;
  /** Absent: every entry. */
  canSelect?(entry: E): boolean;
}

/** `none` and `disabled` look alike, but a disabled box has nothing that can be selected. */
export type BoxState = "all" | "some" | "none" | "disabled";

/** @param entries those of the row: one entry, or everything below a folder */
export function boxStateOf<E extends TreeEntry>(entries: readonly E[], selection: EntrySelection<E>): BoxState {
  let [count, selectedCount] = [0, 0];
  for (const entry of entries) {
    if (selection.canSelect?.(entry) === false) continue;
    count++;
    if (selection.selected.has(entry.n)) selectedCount++;
  }
  if (count === 0) return "disabled";
  if (selectedCount === 0) return "none";
  return selectedCount === count ? "all" : "some";
}

/** Selects what can be selected, or nothing of the entries when all of that was selected. */
export function toggleEntries<E extends TreeEntry>(entries: readonly E[], selection: EntrySelection<E>): Set<number> {
  const selected = new Set(selection.selected);
  const isRemoving = boxStateOf(entries, selection) === "all";
  for (const entry of entries) {
    if (selection.canSelect?.(entry) === false) continue;
    if (isRemoving) selected.delete(entry.n);
    else selected.add(entry.n);
  }
  return selected;
}
