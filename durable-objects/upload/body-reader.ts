import { toHex } from "#domain/bytes-as-text.ts";
import type { TusChecksum } from "#domain/tus.ts";
import { KIB } from "#domain/units.ts";

/** The bytes of one read. A broken connection loses at most as many. Smaller reads cost more CPU time. */
const READ_BYTES = 64 * KIB;

/** Why a read has no more bytes: the body has ended, its connection broke, or a later request has taken over. */
export type Ending = "end" | "broken" | "stopped";

/** Reads the body of a request until it ends, breaks, or is stopped. */
export class BodyReader {
  readonly #reader: ReadableStreamBYOBReader | null;
  #block = new ArrayBuffer(READ_BYTES);
  #ending: Ending | null = null;
  #onStop: () => void = () => undefined;

  /** @param body null for an empty body */
  constructor(body: ReadableStream<Uint8Array> | null) {
    this.#reader = body?.getReader({ mode: "byob" }) ?? null;
  }

  /** Ends the current wait, and every later one. */
  stop(): void {
    this.#ending ??= "stopped";
    this.#onStop();
  }

  /** @param most bytes, above 0 @returns bytes that are valid until the next read */
  async read(most: number): Promise<Uint8Array | Ending> {
    if (this.#ending !== null) return this.#ending;
    if (this.#reader === null) return "end";
    const length = Math.min(most, READ_BYTES);
    const read = this.#reader.readAtLeast(length, new Uint8Array(this.#block, 0, length));
    const result = await this.unlessStopped(read.catch(() => "broken" as const));
    if (result === "stopped" || result === "broken") return (this.#ending ??= result);
    if (result.value) this.#block = result.value.buffer;
    if (result.done) this.#ending ??= "end";
    return result.value && result.value.byteLength > 0 ? result.value : (this.#ending ?? "end");
  }

  /** Waits for work. Returns earlier when the reader is stopped; the work then continues. */
  unlessStopped<Result>(work: Promise<Result>): Promise<Result | "stopped"> {
    return new Promise((resolve, reject) => {
      this.#onStop = () => resolve("stopped");
      if (this.#ending === "stopped") resolve("stopped");
      work.then(resolve, reject);
    });
  }

  /** Cancels the body, so that its sender does not wait. */
  release(): void {
    this.#reader?.cancel().catch(() => undefined);
  }
}

/** Compares the bytes of a request with the request's checksum. */
export class BodyDigest {
  readonly #expected: string;
  readonly #stream: InstanceType<typeof crypto.DigestStream>;
  readonly #writer: WritableStreamDefaultWriter<ArrayBuffer | ArrayBufferView>;

  constructor({ algorithm, digest }: TusChecksum) {
    this.#expected = digest;
    this.#stream = new crypto.DigestStream(algorithm);
    this.#writer = this.#stream.getWriter();
  }

  /** @param bytes may change after the call */
  async add(bytes: Uint8Array): Promise<void> {
    await this.#writer.write(bytes.slice());
  }

  /** Whether the checksum matches. Call it once, after the last byte. */
  async agrees(): Promise<boolean> {
    await this.#writer.close();
    return toHex(await this.#stream.digest) === this.#expected;
  }

  /** Discards the digest of a request that broke off. */
  discard(): void {
    this.#stream.digest.catch(() => undefined);
    this.#writer.abort().catch(() => undefined);
  }
}
