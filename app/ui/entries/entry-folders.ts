export interface TreeEntry {
  /** The entry's number, which is never used for another entry. */
  n: number;
  /** Folders are separated by slashes. The path of an empty folder ends in a slash. */
  path: string;
  sizeBytes: number;
}

export interface TreeFolder<E extends TreeEntry = TreeEntry> {
  /** Ends in a slash. */
  path: string;
  name: string;
  /** All entries below the folder, at any depth. */
  entries: readonly E[];
  sizeBytes: number;
}

/** A folder of the tree. The root's path is "". */
export class EntryFolder<E extends TreeEntry> implements TreeFolder<E> {
  readonly path: string;
  readonly parent: EntryFolder<E> | null;
  readonly children: (EntryFolder<E> | E)[] = [];
  /** The folder's own entry, if the transfer lists the folder as an empty folder. */
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

  /** Computed on first use, because a large list needs the entries only of the folders in view. */
  get entries(): readonly E[] {
    this.#entries ??= [
      ...(this.ownEntry ? [this.ownEntry] : []),
      ...this.children.flatMap((child) => (child instanceof EntryFolder ? child.entries : [child])),
    ];
    return this.#entries;
  }
}

/**
 * Builds the tree; returns its root. Folders stand where their first entry is, to keep the order while a list loads.
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

/** The last segment of a file's or folder's path, without a slash. */
export function nameOf(path: string): string {
  const end = path.endsWith("/") ? path.length - 1 : path.length;
  return path.slice(path.lastIndexOf("/", end - 1) + 1, end);
}

/** The path of the enclosing folder, with its slash; "" for the root. */
function parentPath(path: string): string {
  return path.slice(0, path.lastIndexOf("/", path.length - 2) + 1);
}
