import { KIB, MIB } from "#domain/units.ts";

/** Large pieces take a tenth of the CPU time that the stream's own small ones do. */
const PIECE_BYTES = MIB;

/** More than a sender has on its way when the answer reaches it. docs/operations.md has the measurement. */
const READ_ON_MAX_BYTES = 24 * MIB;
/** A sender that is silent for this long has stopped, or waits for the end of the answer. */
const SILENCE_MS = 1000;
/** The bytes of one step, when a body is handed on or read on. */
const STEP_BYTES = 64 * KIB;

type Reader = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel" | "closed">;

/** The body of a request that may be refused before it is read, or in the middle. */
export class SentBody {
  readonly #body: ReadableStream<Uint8Array> | null;
  /** Whoever reads on goes on with the same one: a form's parser may still wait for a piece. */
  #reader: Reader | null = null;
  /** Settles when nothing more is handed on. */
  #handing: Promise<void> | null = null;
  #isRefused = false;

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
    const reader = (this.#reader ??= this.#body.getReader());
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  }

  /**
   * Gives the body as a stream to somebody who may cancel it: the rest then stays here. The platform's own pipe would
   * cancel the request, too.
   * @returns null without a body
   */
  handOn(): ReadableStream<Uint8Array> | null {
    if (this.#body === null) return null;
    const { readable, writable } = new IdentityTransformStream();
    this.#handing = this.#handTo(writable.getWriter(), (this.#reader ??= stepReader(this.#body)));
    return readable;
  }

  /**
   * Sends the answer at once, and reads on until its sender has stopped. A connection that is closed while bytes arrive
   * is reset, and a reset makes programs lose an answer that they have not read yet.
   * @param refusal with a short text
   * @returns the same answer if the body has been read. Else one that ends with the sender, after 24 MiB, or after a
   *   silence of a second
   */
  async refuse(refusal: Response): Promise<Response> {
    this.#isRefused = true;
    // Else somebody else reads it.
    if (this.#body === null || (this.#reader === null && this.#body.locked)) return refusal;
    const reader = (this.#reader ??= stepReader(this.#body));
    if (await hasEnded(reader)) return refusal;
    const words = new Uint8Array(await refusal.arrayBuffer());
    const handing = this.#handing;
    const answer = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(words);
      },
      // Called when the words are on their way.
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
    // As with the reader.
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
      // The sender has gone, or whom it is handed to has stopped. After a refusal nobody reads any more, and the runtime
      // would report the error as uncaught.
      await (this.#isRefused ? writer.close() : writer.abort(error)).catch(() => undefined);
    }
  }
}

/** Reads larger pieces than the stream's own, which takes a fraction of the time. A piece is overwritten by the next one. */
function stepReader(body: ReadableStream<Uint8Array>): Reader {
  const reader = body.getReader({ mode: "byob" });
  // Whoever reads hears why the sender has gone; without this, the runtime reports it as uncaught, too.
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

/** Reads nothing. */
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
    // The sender has gone.
  }
}

/**
 * A request's body in pieces of 1 MiB; none without a body. A piece is overwritten by the next one. Whoever stops early
 * finds the rest in the body.
 * @throws what the body throws when its sender breaks off
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
