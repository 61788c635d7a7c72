/**
 * Spreads the beginnings of the first parts, so that their ends are spread, too. Parts of one size that begin together
 * share the line, end together, and then wait together for their answers while the line carries nothing.
 */
export class StaggeredBegin {
  readonly #stepBytes: number;
  readonly #limit: number;
  readonly #fromBytes: number;
  #begun = 0;

  /**
   * @param limit parts at the same time
   * @param fromBytes what was sent before
   */
  constructor(partSizeBytes: number, limit: number, fromBytes: number) {
    this.#stepBytes = partSizeBytes / limit;
    this.#limit = limit;
    this.#fromBytes = fromBytes;
  }

  /** Whether every place has had a part: the others begin when a place is free. */
  get isOver(): boolean {
    return this.#begun >= this.#limit;
  }

  /** @param sentBytes in all @returns whether the next part may begin */
  allows(sentBytes: number): boolean {
    return this.isOver || sentBytes - this.#fromBytes >= this.#begun * this.#stepBytes;
  }

  count(): void {
    this.#begun += 1;
  }
}
