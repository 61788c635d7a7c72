/** Reads a response piece by piece. */
export class Reading {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  readonly #memory: Uint8Array<ArrayBuffer>;
  #length = 0;

  /** @param size the most bytes of the response */
  constructor(response: Response, size: number) {
    this.#memory = new Uint8Array(size);
    this.#reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
  }

  /** What has come so far. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#memory.subarray(0, this.#length);
  }

  /** Reads until there are so many bytes. */
  async to(length: number): Promise<void> {
    while (this.#length < length)
      if (!(await this.#read())) throw new Error(`the response ended after ${this.#length} bytes`);
  }

  async end(): Promise<void> {
    while (await this.#read());
  }

  async #read(): Promise<boolean> {
    const { value } = await this.#reader.read();
    if (value) this.#memory.set(value, this.#length);
    this.#length += value?.byteLength ?? 0;
    return value !== undefined;
  }
}
