import type { Sink } from "./sink.ts";

/** For what fits into memory. */
export class BlobSink implements Sink {
  readonly start = 0;
  #pieces: Blob[] = [];

  write(bytes: Uint8Array): void {
    this.#pieces.push(new Blob([bytes as Uint8Array<ArrayBuffer>]));
  }

  finish(): Promise<Blob> {
    // Without a type, no browser opens it as a page of this site.
    return Promise.resolve(new Blob(this.#pieces));
  }

  abort(): Promise<void> {
    this.#pieces = [];
    return Promise.resolve();
  }
}
