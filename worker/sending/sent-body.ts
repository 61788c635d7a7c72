import { MIB } from "#domain/units.ts";
import { readPieces } from "../uploads/read-pieces.ts";

/** More than a sender has on its way when the answer reaches it. docs/operations.md has the measurement. */
const READ_ON_MAX_BYTES = 8 * MIB;
/** A sender that is silent for so long has stopped, or waits for the end of the answer. */
const SILENCE_MS = 1000;

/** The body of a request that may be refused before it is read, or in the middle. */
export class SentBody {
  readonly #body: ReadableStream<Uint8Array> | null;
  #reader: ReadableStreamDefaultReader<Uint8Array> | null = null;

  constructor({ body }: Request) {
    this.#body = body;
  }

  /** In pieces of 1 MiB. A piece is overwritten by the next one. @throws what the body throws when its sender breaks off */
  pieces(): AsyncIterable<Uint8Array> {
    return readPieces(this.#body);
  }

  /** In the stream's own pieces, which stay as they are. @throws what the body throws when its sender breaks off */
  async *ownPieces(): AsyncIterable<Uint8Array> {
    if (this.#body === null) return;
    const reader = this.#readerOf(this.#body);
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  }

  /**
   * Sends the answer at once, and reads on until its sender has stopped. A connection that is closed while bytes arrive
   * is reset, and a reset makes programs lose an answer that they have not read yet.
   * @param refusal with a short text
   * @returns the same answer. It ends with the sender, after 8 MiB, or after a silence of a second
   */
  async refuse(refusal: Response): Promise<Response> {
    if (this.#body === null) return refusal;
    const words = new Uint8Array(await refusal.arrayBuffer());
    const reader = this.#readerOf(this.#body);
    const answer = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(words);
      },
      // Called when the words are on their way.
      async pull(controller) {
        await readOn(reader);
        controller.close();
      },
    });
    return new Response(answer, refusal);
  }

  /** A form's parser may still wait for a piece, so both read with the same reader. */
  #readerOf(body: ReadableStream<Uint8Array>): ReadableStreamDefaultReader<Uint8Array> {
    this.#reader ??= body.getReader();
    return this.#reader;
  }
}

async function readOn(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  let readBytes = 0;
  try {
    while (readBytes < READ_ON_MAX_BYTES) {
      const piece = await Promise.race([reader.read(), scheduler.wait(SILENCE_MS)]);
      if (!piece || piece.done) break;
      readBytes += piece.value.byteLength;
    }
    await reader.cancel();
  } catch {
    // The sender has gone.
  }
}
