import { roomOr } from "../reader/open-error.ts";
import type { Sink } from "./sink.ts";

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
