import { OpenError } from "../reader/open-error.ts";
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
    } catch {
      throw new OpenError("room");
    }
  }

  async finish(): Promise<null> {
    await this.#file.close();
    return null;
  }

  async abort(): Promise<void> {
    await this.#file.abort().catch(() => undefined);
  }
}
