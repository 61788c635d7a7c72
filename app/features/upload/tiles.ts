/** The small pictures of the files that this tab sends, as addresses that live as long as the card shows the upload. */
export class Tiles {
  readonly #urls = new Map<number, string>();

  /** @param n the number of the picture's file */
  add(n: number, image: Blob): void {
    this.drop(n);
    this.#urls.set(n, URL.createObjectURL(image));
  }

  /** @returns the address of the file's picture; undefined if it has none */
  urlOf(n: number): string | undefined {
    return this.#urls.get(n);
  }

  /** @returns the addresses of the first pictures */
  first(count: number): string[] {
    return [...this.#urls]
      .sort(([a], [b]) => a - b)
      .slice(0, count)
      .map(([, url]) => url);
  }

  /** Forgets the picture of a file that was removed. */
  drop(n: number): void {
    const url = this.#urls.get(n);
    if (url === undefined) return;
    URL.revokeObjectURL(url);
    this.#urls.delete(n);
  }

  clear(): void {
    for (const n of this.#urls.keys()) this.drop(n);
  }
}
