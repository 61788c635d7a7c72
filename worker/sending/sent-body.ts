import { KIB, MIB } from "#domain/units.ts";

/** Pieces of 1 MiB take a tenth of the CPU time of the stream's own small pieces. */
const PIECE_BYTES = MIB;

/**
 * The most bytes that `refuse` reads after an early answer: more than are on their way when the sender gets the answer.
 * docs/operations.md has the measurement.
 */
const READ_ON_MAX_BYTES = 24 * MIB;
/** A sender that sends nothing for this long has stopped, or waits for the end of the answer. */
const SILENCE_MS = 1000;
/** How many bytes `handOn` and `refuse` read at once. */
const STEP_BYTES = 64 * KIB;

type Reader = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel" | "closed">;

/** The body of a request that may be rejected before or while the body is read. */
export class SentBody {
  readonly #body: ReadableStream<Uint8Array> | null;
  /**
   * The body's reader, shared by all methods, because a form's parser may still wait for its piece when `refuse` begins
   * to read.
   */
  #reader: Reader | null = null;
  /** A promise that settles when `handOn` copies no more bytes. */
  #handing: Promise<void> | null = null;
  #isRefused = false;

  constructor({ body }: Request) {
    this.#body = body;
  }

  /**
   * The body in pieces of 1 MiB, each of which overwrites the previous piece.
   * @throws the stream's error if the sender stops
   */
  pieces(): AsyncIterable<Uint8Array> {
    return readPieces(this.#body);
  }

  /** The body in the stream's own pieces, which are not overwritten. @throws the stream's error if the sender stops */
  async *ownPieces(): AsyncIterable<Uint8Array> {
    if (this.#body === null) return;
    const reader = (this.#reader ??= this.#body.getReader());
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  }

  /**
   * The body as a stream that its reader may cancel, which leaves the rest of the body to `refuse`. The platform's own
   * pipe would cancel the request, too.
   * @returns null without a body
   */
  handOn(): ReadableStream<Uint8Array> | null {
    if (this.#body === null) return null;
    const { readable, writable } = new IdentityTransformStream();
    this.#handing = this.#handTo(writable.getWriter(), (this.#reader ??= stepReader(this.#body)));
    return readable;
  }

  /**
   * Answers an error at once, and reads the body until its sender has stopped. Closing a connection while bytes arrive
   * resets the connection, and a reset makes programs lose an answer that they have not read yet.
   * @param refusal an answer with a short text
   * @returns `refusal` if the body has been read; otherwise a response with the same text that ends when the sender
   * stops, after 24 MiB, or after 1 s without bytes
   */
  async refuse(refusal: Response): Promise<Response> {
    this.#isRefused = true;
    // If another reader has locked the body, that reader reads it to its end.
    if (this.#body === null || (this.#reader === null && this.#body.locked)) return refusal;
    const reader = (this.#reader ??= stepReader(this.#body));
    if (await hasEnded(reader)) return refusal;
    const words = new Uint8Array(await refusal.arrayBuffer());
    const handing = this.#handing;
    const answer = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(words);
      },
      // The runtime calls `pull` when the text of `refusal` is on its way.
      async pull(controller) {
        await Promise.race([handing, scheduler.wait(SILENCE_MS)]);
        await readOn(reader);
        controller.close();
      },
    });
    const heard = new Response(answer, refusal);
    heard.headers.delete("content-length");
    heard.headers.set("connection", "close");
    return heard;
  }

  async #handTo(writer: WritableStreamDefaultWriter<Uint8Array>, reader: Reader): Promise<void> {
    // Prevents an unhandled rejection when the stream's reader cancels.
    writer.closed.catch(() => undefined);
    try {
      while (!this.#isRefused) {
        const { done, value } = await reader.read();
        if (done) {
          await writer.close();
          return;
        }
        await writer.write(value);
      }
    } catch (error) {
      // The sender has gone, or the stream's reader has cancelled. After `refuse`, the stream is closed without an
      // error: nobody reads the stream, and the runtime would report the error as uncaught.
      await (this.#isRefused ? writer.close() : writer.abort(error)).catch(() => undefined);
    }
  }
}

/** Reads larger pieces than the stream's own, to save CPU time. Each piece overwrites the previous one. */
function stepReader(body: ReadableStream<Uint8Array>): Reader {
  const reader = body.getReader({ mode: "byob" });
  // `read` rejects with the same error, which the runtime would otherwise also report as uncaught.
  reader.closed.catch(() => undefined);
  let memory = new ArrayBuffer(STEP_BYTES);
  return {
    closed: reader.closed,
    cancel: () => reader.cancel(),
    read: async () => {
      const piece = await reader.read(new Uint8Array(memory));
      if (piece.value) memory = piece.value.buffer;
      return piece;
    },
  };
}

/** Whether the body has been read to its end. Reads no bytes. */
async function hasEnded({ closed }: Reader): Promise<boolean> {
  const ended = closed.then(
    () => true,
    () => true,
  );
  return Promise.race([ended, scheduler.wait(0).then(() => false)]);
}

async function readOn(reader: Reader): Promise<void> {
  let readBytes = 0;
  try {
    while (readBytes < READ_ON_MAX_BYTES) {
      const piece = await Promise.race([reader.read(), scheduler.wait(SILENCE_MS)]);
      if (!piece || piece.done) break;
      readBytes += piece.value.byteLength;
    }
    await reader.cancel();
  } catch {
    // The sender has gone, which makes reading fail.
  }
}

/**
 * A request's body in pieces of 1 MiB, each of which overwrites the previous one. Yields nothing if the request has no
 * body. A caller that stops early can still read the rest of the body.
 * @throws the stream's error if the sender stops
 */
async function* readPieces(body: ReadableStream | null): AsyncGenerator<Uint8Array, void> {
  if (body === null) return;
  const reader = body.getReader({ mode: "byob" });
  try {
    let memory = new ArrayBuffer(PIECE_BYTES);
    for (;;) {
      const { done, value } = await reader.readAtLeast(PIECE_BYTES, new Uint8Array(memory));
      if (value && value.byteLength > 0) yield value;
      if (done || !value) return;
      memory = value.buffer;
    }
  } finally {
    reader.releaseLock();
  }
}
