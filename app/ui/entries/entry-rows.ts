import { EntryFolder, type TreeEntry, type TreeFolder } from "./entry-folders.ts";

interface RowPlace {
  /** A folder's path or an entry's number. */
  key: string | number;
  /** Depth in the tree, from 1. */
  level: number;
  /** Index of the enclosing folder's row; -1 at the top level. */
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

/** A row of the tree. An empty folder is an `EntryRow`. */
export type TreeRow<E extends TreeEntry> = FolderRow<E> | EntryRow<E>;

/** Which folders are open: those in `exceptions` differ from `byDefault`. */
export interface OpenFolders {
  byDefault: boolean;
  exceptions: ReadonlySet<string>;
}

/**
 * Chooses the folders that are open at first. "all": every folder, also folders that load later. "top": from the top
 * down to the first folder with more than one child, so that a list shows more than its only outer folder.
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

/** The rows that are not inside a closed folder, from top to bottom. */
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

/** The effect of a key on a row (WAI-ARIA Authoring Practices, Treegrid). */
export type RowCommand =
  { does: "move"; to: number } | { does: "toggle"; path: string } | { does: "select" } | { does: "open" };

/** @param index the focused row @param pageRows rows in view @returns null for a key without a function in the tree */
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
  /** @param folder set when a folder's box was clicked: entries of that folder that load later are selected too */
  onChange(selected: ReadonlySet<number>, folder?: TreeFolder<E>): void;
  /** Whether an entry may be selected. Default: every entry. */
  canSelect?(entry: E): boolean;
}

/** The state of a row's checkbox. `disabled` looks like `none`, but the row has no entry that can be selected. */
export type BoxState = "all" | "some" | "none" | "disabled";

/** @param entries the row's entry, or all entries below the row's folder */
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

/**
 * Selects all of `entries` that can be selected, or deselects `entries` if all of these are selected. @returns the new
 * selection
 */
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
