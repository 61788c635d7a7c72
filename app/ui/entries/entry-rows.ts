import { EntryFolder, type TreeEntry, type TreeFolder } from "./entry-folders.ts";

interface RowPlace {
  /** A folder's path or an entry's number. */
  key: string | number;
  /** From 1. */
  level: number;
  /** Index of the folder's row; -1 at the top. */
  parent: number;
}

interface FolderRow<E extends TreeEntry> extends RowPlace {
  folder: EntryFolder<E>;
  isOpen: boolean;
  entry?: undefined;
}

interface EntryRow<E extends TreeEntry> extends RowPlace {
  entry: E;
  folder?: undefined;
}

/** A line of the tree. An empty folder is the row of its entry. */
export type TreeRow<E extends TreeEntry> = FolderRow<E> | EntryRow<E>;

/** Which folders are open: all or none, but for the exceptions. */
export interface OpenFolders {
  byDefault: boolean;
  exceptions: ReadonlySet<string>;
}

/**
 * "all": every folder, also those that come later. "top": folders down to the first with more than one thing in it, so
 * that a list that is one folder does not show that folder alone.
 */
export function openAtFirst(root: EntryFolder<TreeEntry>, initially: "all" | "top"): OpenFolders {
  if (initially === "all") return { byDefault: true, exceptions: new Set() };
  const exceptions = new Set<string>();
  for (let [only, ...others] = root.children; only instanceof EntryFolder && others.length === 0;) {
    exceptions.add(only.path);
    [only, ...others] = only.children;
  }
  return { byDefault: false, exceptions };
}

function isFolderOpen({ byDefault, exceptions }: OpenFolders, path: string): boolean {
  return exceptions.has(path) !== byDefault;
}

export function toggleFolder({ byDefault, exceptions }: OpenFolders, path: string): OpenFolders {
  const changed = new Set(exceptions);
  if (!changed.delete(path)) changed.add(path);
  return { byDefault, exceptions: changed };
}

/** Every row that is not inside a closed folder, in the order of the screen. */
export function listRows<E extends TreeEntry>(root: EntryFolder<E>, open: OpenFolders): TreeRow<E>[] {
  const rows: TreeRow<E>[] = [];
  const addChildren = (folder: EntryFolder<E>, level: number, parent: number) => {
    for (const child of folder.children) {
      if (!(child instanceof EntryFolder)) rows.push({ key: child.n, level, parent, entry: child });
      else if (child.children.length === 0 && child.ownEntry) {
        rows.push({ key: child.ownEntry.n, level, parent, entry: child.ownEntry });
      } else {
        const isOpen = isFolderOpen(open, child.path);
        const index = rows.push({ key: child.path, level, parent, folder: child, isOpen }) - 1;
        if (isOpen) addChildren(child, level + 1, index);
      }
    }
  };
  addChildren(root, 1, -1);
  return rows;
}

/** What a key does on a row (WAI-ARIA Authoring Practices, Treegrid). */
export type RowCommand =
  { does: "move"; to: number } | { does: "toggle"; path: string } | { does: "select" } | { does: "open" };

/**
 * @param index the row that has the focus
 * @param pageRows how many rows are in view
 * @returns null for a key that means nothing here
 */
export function commandOfKey<E extends TreeEntry>(
  key: string,
  rows: readonly TreeRow<E>[],
  index: number,
  pageRows: number,
): RowCommand | null {
  const row = rows[index];
  if (!row) return null;
  const last = rows.length - 1;
  const moveTo = (to: number): RowCommand => ({ does: "move", to: Math.min(Math.max(to, 0), last) });
  switch (key) {
    case "ArrowDown":
      return moveTo(index + 1);
    case "ArrowUp":
      return moveTo(index - 1);
    case "PageDown":
      return moveTo(index + pageRows);
    case "PageUp":
      return moveTo(index - pageRows);
    case "Home":
      return moveTo(0);
    case "End":
      return moveTo(last);
    case "ArrowRight":
      if (!row.folder) return null;
      return row.isOpen ? moveTo(index + 1) : { does: "toggle", path: row.folder.path };
    case "ArrowLeft":
      if (row.folder && row.isOpen) return { does: "toggle", path: row.folder.path };
      return row.parent < 0 ? null : moveTo(row.parent);
    case " ":
      return { does: "select" };
    case "Enter":
      return row.folder ? { does: "toggle", path: row.folder.path } : { does: "open" };
    default:
      return null;
  }
}

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
