/** Files of a browser's site in memory, as far as the stage uses them. */
export class MemoryFolder {
  readonly files = new Map<string, Uint8Array>();
  /** Removed one after the other. */
  readonly removed: string[] = [];
  /** Written by another tab. */
  readonly locked = new Set<string>();

  getDirectory(): Promise<this> {
    return Promise.resolve(this);
  }

  getDirectoryHandle(): Promise<this> {
    return Promise.resolve(this);
  }

  getFileHandle(name: string, options?: { create: boolean }) {
    if (!this.files.has(name)) {
      if (!options?.create) return Promise.reject(new DOMException("none", "NotFoundError"));
      this.files.set(name, new Uint8Array());
    }
    return Promise.resolve({
      getFile: () => Promise.resolve(new Blob([this.#of(name) as Uint8Array<ArrayBuffer>])),
      createSyncAccessHandle: () => Promise.resolve(this.#access(name)),
    });
  }

  removeEntry(name: string): Promise<void> {
    if (this.locked.has(name)) return Promise.reject(new DOMException("locked", "NoModificationAllowedError"));
    if (!this.files.delete(name)) return Promise.reject(new DOMException("none", "NotFoundError"));
    this.removed.push(name);
    return Promise.resolve();
  }

  async *keys(): AsyncGenerator<string, void, undefined> {
    yield* await Promise.resolve([...this.files.keys()]);
  }

  #of(name: string): Uint8Array {
    return this.files.get(name) ?? new Uint8Array();
  }

  #access(name: string) {
    const resize = (size: number) => {
      const grown = new Uint8Array(size);
      grown.set(this.#of(name).subarray(0, size));
      this.files.set(name, grown);
    };
    return {
      getSize: () => this.#of(name).length,
      truncate: resize,
      write: (bytes: Uint8Array, { at }: { at: number }) => {
        resize(Math.max(this.#of(name).length, at + bytes.length));
        this.#of(name).set(bytes, at);
        return bytes.length;
      },
      flush: () => undefined,
      close: () => undefined,
    };
  }
}
