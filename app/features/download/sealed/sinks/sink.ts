import { roomOr } from "../reader/open-error.ts";

/** Receives decrypted bytes in order. */
export interface Sink {
  /** The offset of the first byte that the sink does not have yet. */
  readonly start: number;
  /** The bytes before `start`, to be called before the first write. A piece is valid until the next is read. */
  saved(): Iterable<Uint8Array>;
  /** @throws OpenError `room` if the device is full */
  write(bytes: Uint8Array): void | Promise<void>;
  /** Called when the sink has all bytes. @returns the bytes if the sink keeps them in memory, else null */
  finish(): Promise<Blob | null>;
  /** @param isDamaged whether the bytes are damaged, so that none may be kept */
  abort(isDamaged: boolean): Promise<void>;
}

/** Keeps the bytes in memory. */
export class BlobSink implements Sink {
  readonly start = 0;
  #pieces: Blob[] = [];

  saved(): [] {
    return [];
  }

  write(bytes: Uint8Array): void {
    this.#pieces.push(new Blob([bytes as Uint8Array<ArrayBuffer>]));
  }

  finish(): Promise<Blob> {
    // The blob has no type, so that no browser opens it as a page of this site.
    return Promise.resolve(new Blob(this.#pieces));
  }

  abort(): Promise<void> {
    this.#pieces = [];
    return Promise.resolve();
  }
}

/** Writes to a file that the reader chose. The file appears only when it is whole. */
export class FileSink implements Sink {
  readonly start = 0;
  readonly #file: FileSystemWritableFileStream;

  private constructor(file: FileSystemWritableFileStream) {
    this.#file = file;
  }

  static async open(handle: FileSystemFileHandle): Promise<FileSink> {
    return new FileSink(await handle.createWritable());
  }

  saved(): [] {
    return [];
  }

  async write(bytes: Uint8Array): Promise<void> {
    try {
      await this.#file.write(bytes as Uint8Array<ArrayBuffer>);
    } catch (error) {
      throw roomOr(error);
    }
  }

  /** Moves the bytes from a temporary file to the chosen file, which may be on a fuller disk. */
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
