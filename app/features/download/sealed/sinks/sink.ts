import { roomOr } from "../reader/open-error.ts";

/** Takes opened bytes in order. */
export interface Sink {
  /** The first byte that it does not have yet. */
  readonly start: number;
  /** @throws OpenError `room` when the device is full */
  write(bytes: Uint8Array): void | Promise<void>;
  /** Called when all bytes are there. @returns them, where the page has to hand them over from memory */
  finish(): Promise<Blob | null>;
  /** @param isDamaged nothing of it may be kept */
  abort(isDamaged: boolean): Promise<void>;
}

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

/** A file that the reader chose. The browser shows it only when it is whole. */
export class FileSink implements Sink {
  readonly start = 0;
  readonly #file: FileSystemWritableFileStream;

  private constructor(file: FileSystemWritableFileStream) {
    this.#file = file;
  }

  static async open(handle: FileSystemFileHandle): Promise<FileSink> {
    return new FileSink(await handle.createWritable());
  }

  async write(bytes: Uint8Array): Promise<void> {
    try {
      await this.#file.write(bytes as Uint8Array<ArrayBuffer>);
    } catch (error) {
      throw roomOr(error);
    }
  }

  /** Moves the bytes to their place, which may be on a disk with less room. */
  async finish(): Promise<null> {
    try {
      await this.#file.close();
    } catch (error) {
      throw roomOr(error);
    }
    return null;
  }

  async abort(): Promise<void> {
    await this.#file.abort().catch(() => undefined);
  }
}
