import { toHex } from "#domain/hex.ts";
import type { TusChecksum } from "#domain/tus/headers.ts";

/** Compares the bytes of a request with the checksum that it came with. */
export class BodyDigest {
  readonly #expected: string;
  readonly #stream: InstanceType<typeof crypto.DigestStream>;
  readonly #writer: WritableStreamDefaultWriter<ArrayBuffer | ArrayBufferView>;

  constructor({ algorithm, digest }: TusChecksum) {
    this.#expected = digest;
    this.#stream = new crypto.DigestStream(algorithm);
    this.#writer = this.#stream.getWriter();
  }

  /** @param bytes which may change afterwards */
  async add(bytes: Uint8Array): Promise<void> {
    await this.#writer.write(bytes.slice());
  }

  /** Call it once, after the last byte. */
  async agrees(): Promise<boolean> {
    await this.#writer.close();
    return toHex(await this.#stream.digest) === this.#expected;
  }

  /** For a request that broke off. */
  discard(): void {
    this.#stream.digest.catch(() => undefined);
    this.#writer.abort().catch(() => undefined);
  }
}
