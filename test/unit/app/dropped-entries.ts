/** Fails what no drop asks for. */
abstract class DroppedEntry {
  readonly fullPath: string;

  /** @param fullPath begins with a slash */
  constructor(fullPath: string) {
    this.fullPath = fullPath;
  }

  get name(): string {
    return this.fullPath.split("/").at(-1) ?? "";
  }

  get filesystem(): FileSystem {
    throw new Error("not asked for");
  }

  getParent(): void {
    throw new Error("not asked for");
  }
}

/** A file, as a browser hands it out when it is dropped. */
export class DroppedFile extends DroppedEntry implements FileSystemFileEntry {
  readonly isFile = true;
  readonly isDirectory = false;
  readonly #read: () => Promise<File>;

  constructor(fullPath: string, read: () => Promise<File>) {
    super(fullPath);
    this.#read = read;
  }

  file(resolve: FileCallback, reject?: ErrorCallback): void {
    void this.#read().then(resolve, reject);
  }
}

/** A folder, as a browser hands it out when it is dropped. */
export class DroppedFolder extends DroppedEntry implements FileSystemDirectoryEntry {
  readonly isFile = false;
  readonly isDirectory = true;
  readonly #read: () => Promise<FileSystemEntry[]>;

  /** @param read answers a part of what is in it at a time, and then nothing */
  constructor(fullPath: string, read: () => Promise<FileSystemEntry[]>) {
    super(fullPath);
    this.#read = read;
  }

  createReader(): FileSystemDirectoryReader {
    return {
      readEntries: (resolve, reject) => {
        void this.#read().then(resolve, reject);
      },
    };
  }

  getFile(): void {
    throw new Error("not asked for");
  }

  getDirectory(): void {
    throw new Error("not asked for");
  }
}
