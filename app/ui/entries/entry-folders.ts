export interface TreeEntry {
  /** The entry's number: never used for another one. */
  n: number;
  /** Folders are divided by slashes. An empty folder's path ends in one. */
  path: string;
  sizeBytes: number;
}

export interface TreeFolder<E extends TreeEntry = TreeEntry> {
  /** Ends in a slash. */
  path: string;
  name: string;
  /** Everything below it, its folders' entries too. */
  entries: readonly E[];
  sizeBytes: number;
}

/** A folder of the tree. The root's path is "". */
export class EntryFolder<E extends TreeEntry> implements TreeFolder<E> {
  readonly path: string;
  readonly parent: EntryFolder<E> | null;
  readonly children: (EntryFolder<E> | E)[] = [];
  /** The entry that announced the folder as an empty one. */
  ownEntry: E | null = null;
  sizeBytes = 0;
  #entries: E[] | null = null;

  constructor(path: string, parent: EntryFolder<E> | null) {
    this.path = path;
    this.parent = parent;
  }

  get name(): string {
    return nameOf(this.path);
  }

  /** Gathered when asked for: only folders in view are. */
  get entries(): readonly E[] {
    this.#entries ??= [
      ...(this.ownEntry ? [this.ownEntry] : []),
      ...this.children.flatMap((child) => (child instanceof EntryFolder ? child.entries : [child])),
    ];
    return this.#entries;
  }
}

/**
 * Folders come where their first entry is, so the tree keeps the list's order and grows at its end while a list loads.
 * @returns the root
 */
export function toFolders<E extends TreeEntry>(entries: readonly E[]): EntryFolder<E> {
  const root = new EntryFolder<E>("", null);
  const folders = new Map([["", root]]);
  const folderAt = (path: string): EntryFolder<E> => {
    const known = folders.get(path);
    if (known) return known;
    const parent = folderAt(parentPath(path));
    const folder = new EntryFolder(path, parent);
    parent.children.push(folder);
    folders.set(path, folder);
    return folder;
  };
  for (const entry of entries) {
    const folder = folderAt(entry.path.endsWith("/") ? entry.path : parentPath(entry.path));
    if (folder.path === entry.path) folder.ownEntry = entry;
    else folder.children.push(entry);
    for (let above: EntryFolder<E> | null = folder; above; above = above.parent) above.sizeBytes += entry.sizeBytes;
  }
  return root;
}

/** The last segment, of a folder too. */
export function nameOf(path: string): string {
  const end = path.endsWith("/") ? path.length - 1 : path.length;
  return path.slice(path.lastIndexOf("/", end - 1) + 1, end);
}

/** With its slash; "" at the top. */
function parentPath(path: string): string {
  return path.slice(0, path.lastIndexOf("/", path.length - 2) + 1);
}
