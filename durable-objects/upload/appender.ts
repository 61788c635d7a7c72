import type { TusChecksum } from "#domain/tus.ts";
import { SECOND_MS } from "#domain/units.ts";
import { BodyDigest, BodyReader, type Ending } from "./body-reader.ts";
import { chunkPlanOf, type Receiving } from "./chunks.ts";
import {
  NO_UPLOAD,
  OFFSET_CONFLICT,
  requireOpen,
  uploadClosed,
  WRONG_ADDRESS,
  type AppendResult,
  type UploadRejection,
} from "./results.ts";
import * as state from "./state.ts";

const HEADER = "x-append";

/** The longest time that a client waits for the completion, which goes on without the client. */
const COMPLETION_WAIT_MS = 20 * SECOND_MS;

/**
 * Makes a `fetch` request to an upload's session. The body stays a stream, which is cancelled with the request; RPC
 * would not cancel it.
 */
export function appendRequest({ body, ...append }: Append): Request {
  // The session does not look at the address.
  return new Request("https://session/", { method: "PATCH", headers: { [HEADER]: JSON.stringify(append) }, body });
}

/** @returns null for a request that opens a socket */
export function readAppend(request: Request): Append | null {
  if (request.method !== "PATCH") return null;
  const append = JSON.parse(request.headers.get(HEADER) ?? "") as Omit<Append, "body">;
  return { ...append, body: request.body };
}

/** The body of a request that adds to an upload. */
export interface Append {
  /** The offset of the body's first byte in the upload. */
  offset: number;
  body: ReadableStream<Uint8Array> | null;
  /** The checksum of the body. Bytes with another checksum are dropped. */
  checksum: TusChecksum | null;
  /** Only for an upload that was started without a size. */
  room?: Room;
}

/** The reservation and the size of an upload without a size, in bytes. */
export interface Room {
  /** The bytes that are reserved for the whole upload. */
  reserved: number;
  /** The size of the whole upload; null until the sender says the size. */
  declared: number | null;
}

/** The request whose body is being read. */
interface Run {
  reader: BodyReader;
  digest: BodyDigest | null;
  /** The chunk that is being filled. */
  chunk: Uint8Array;
  filled: number;
  /** The offset in the upload after the `filled` bytes. */
  offset: number;
}

/**
 * Appends bytes to an upload. Stores whole chunks as rows, and the rest at the end of a request as the edge. There are
 * no locks: a later request stops the earlier one.
 */
export class Appender {
  readonly #deps: Receiving;
  #running: { reader: BodyReader; settled: Promise<unknown> } | null = null;

  constructor(deps: Receiving) {
    this.#deps = deps;
  }

  get isAtWork(): boolean {
    return this.#running !== null;
  }

  /** Stops the request at work and waits until its bytes are stored. Returns at once if there is none. */
  async stop(): Promise<void> {
    while (this.#running) {
      this.#running.reader.stop();
      await this.#running.settled;
    }
  }

  /** Stops the request at work. @returns the offset of the next byte */
  async takeOver(): Promise<AppendResult> {
    await this.stop();
    return this.#position();
  }

  /** The offset of the next byte. Call it when no request is at work. */
  #position(): AppendResult {
    const record = this.#settle();
    if (!record) return NO_UPLOAD;
    if (!state.isAppended(record)) return WRONG_ADDRESS;
    const { sizeBytes } = record.plan.lifetime;
    if (record.phase === "completing" || record.phase === "ready")
      return { ok: true, offset: sizeBytes, expiresAt: null, sizeBytes };
    if (state.isSettled(record)) return uploadClosed(record);
    return {
      ok: true,
      offset: this.#offset(record),
      expiresAt: state.endsAt(record),
      sizeBytes: state.isOpenEnded(record) ? null : sizeBytes,
    };
  }

  /**
   * Stops the request at work, appends the body, and completes the upload after the last byte. @returns the offset
   * afterwards
   */
  async append(append: Append): Promise<AppendResult> {
    const appended = await this.#add(append);
    return appended.ok && appended.expiresAt === null ? this.#complete(appended) : appended;
  }

  /** With the last byte, the record's phase becomes "completing". */
  async #add({ offset, body, checksum, room }: Append): Promise<AppendResult> {
    const reader = new BodyReader(body);
    try {
      // Of two requests that waited for the same one, the first may be at work now.
      while (this.isAtWork) await this.stop();
      // No other request can come between this line and `#running`, because nothing is awaited.
      const position = this.#position();
      if (!position.ok) return position;
      if (position.offset !== offset) return OFFSET_CONFLICT;
      if (position.expiresAt === null) return position;
      const rejection = room ? this.#makeRoom(room, position) : null;
      if (rejection) return rejection;
      const taking = this.#take(reader, checksum, offset);
      const settled = taking.catch(() => undefined).finally(() => (this.#running = null));
      this.#running = { reader, settled };
      const result = await taking;
      await settled;
      return result;
    } finally {
      reader.release();
    }
  }

  #makeRoom({ reserved, declared }: Room, { offset, sizeBytes }: { offset: number; sizeBytes: number | null }) {
    const { store, save } = this.#deps;
    const open = requireOpen(store.find());
    if (!open.ok) return open;
    if (sizeBytes !== null) return declared === null || declared === sizeBytes ? null : otherSize(sizeBytes);
    if (declared === null) save(state.reserve(open.record, reserved));
    else if (declared < offset) return otherSize(offset);
    else save(state.closeEnd(open.record, declared));
    return null;
  }

  async #take(reader: BodyReader, checksum: TusChecksum | null, offset: number): Promise<AppendResult> {
    if (!(await this.#sendParts(reader))) return { ok: false, code: "STORAGE_UNAVAILABLE" };
    const { store, chunks, save } = this.#deps;
    const open = requireOpen(store.find());
    if (!open.ok) return open;
    const chunk = new Uint8Array(chunkPlanOf(open.record).chunkSizeBytes);
    const edge = chunks.edge();
    chunk.set(edge);
    const digest = checksum && new BodyDigest(checksum);
    if (digest) save(state.beginProvisional(open.record, chunks.next()));
    const run: Run = { reader, digest, chunk, filled: edge.byteLength, offset };
    try {
      return await this.#finish(run, await this.#read(run));
    } finally {
      digest?.discard();
    }
  }

  /**
   * Stores whole chunks as they arrive. Stores the last chunk only at the end, because a body may be longer than the
   * file.
   */
  async #read(run: Run): Promise<Ending | UploadRejection> {
    for (;;) {
      const open = requireOpen(this.#deps.store.find());
      if (!open.ok) return open;
      const left = open.record.plan.lifetime.sizeBytes - run.offset;
      const bytes = await run.reader.read(Math.max(1, Math.min(run.chunk.byteLength - run.filled, left)));
      if (typeof bytes === "string") return bytes;
      if (left === 0) return tooLong(open.record);
      run.chunk.set(bytes, run.filled);
      run.filled += bytes.byteLength;
      run.offset += bytes.byteLength;
      await run.digest?.add(bytes);
      const mayBeLast = bytes.byteLength === left && !state.isOpenEnded(open.record);
      if (run.filled < run.chunk.byteLength || mayBeLast) continue;
      const rejection = this.#storeChunk(run);
      if (rejection) return rejection;
      if (run.digest === null && !(await this.#sendParts(run.reader)))
        return { ok: false, code: "STORAGE_UNAVAILABLE" };
    }
  }

  #storeChunk(run: Run): UploadRejection | null {
    const open = requireOpen(this.#deps.store.find());
    if (!open.ok) return open;
    const { chunks, storage, onChunk } = this.#deps;
    storage.transactionSync(() => {
      this.#addChunk(run.chunk);
      // Until the checksum matches, the old edge stays, so that the upload can fall back to it.
      if (run.digest === null) chunks.setEdge(new Uint8Array());
    });
    run.filled = 0;
    onChunk(open.record, chunks.next());
    return null;
  }

  async #finish(run: Run, ending: Ending | UploadRejection): Promise<AppendResult> {
    const isWhole = ending === "end" && run.digest !== null && (await run.digest.agrees());
    const open = requireOpen(this.#deps.store.find());
    if (!open.ok) return open;
    if (run.digest !== null && !isWhole) {
      this.#settle();
      if (ending === "end") return { ok: false, code: "CHECKSUM_MISMATCH" };
      return typeof ending === "string" ? OFFSET_CONFLICT : ending;
    }
    const isTooLong = typeof ending !== "string" && ending.code === "BODY_TOO_LARGE";
    if (!isTooLong) this.#storeRest(open.record, run);
    if (typeof ending !== "string") return ending;
    if (run.digest !== null && !(await this.#sendParts(run.reader))) return { ok: false, code: "STORAGE_UNAVAILABLE" };
    const position = this.#position();
    return position.ok && ending === "stopped" && position.expiresAt !== null ? OFFSET_CONFLICT : position;
  }

  /** Stores the rest of a request and, after the last byte, the phase "completing", in one transaction. */
  #storeRest(record: state.UploadRecord, run: Run): void {
    const { storage, chunks, save } = this.#deps;
    const now = Date.now();
    const firm = state.recordActivity(state.endProvisional(record), now);
    const rest = run.chunk.subarray(0, run.filled);
    const isComplete = run.offset === record.plan.lifetime.sizeBytes && !state.isOpenEnded(record);
    storage.transactionSync(() => {
      if (isComplete && rest.byteLength > 0) this.#addChunk(rest);
      chunks.setEdge(isComplete ? new Uint8Array() : rest);
      save(isComplete ? state.beginCompletion(firm, null, false, now) : firm);
    });
  }

  /** Chunks of an appended upload have no checksum, because they are not sent again. */
  #addChunk(bytes: Uint8Array): void {
    const { chunks } = this.#deps;
    chunks.add(chunks.next(), "", bytes.slice().buffer);
  }

  /** Drops chunks whose checksum was not confirmed, for example after a crash. Call it when no request is at work. */
  #settle(): state.UploadRecord | null {
    const record = this.#deps.store.find();
    if (record?.provisionalFrom === undefined) return record;
    const { storage, chunks, save } = this.#deps;
    const firm = state.endProvisional(record);
    storage.transactionSync(() => {
      chunks.deleteFrom(record.provisionalFrom ?? 0);
      save(firm);
    });
    return firm;
  }

  #offset(record: state.UploadRecord): number {
    const { chunks } = this.#deps;
    const { chunkSizeBytes, sizeBytes } = chunkPlanOf(record);
    return Math.min(chunks.next() * chunkSizeBytes, sizeBytes) + chunks.edgeLength();
  }

  /** Sends the parts whose chunks are all stored, in order. @returns false when storage does not answer */
  async #sendParts(reader: BodyReader): Promise<boolean> {
    const { store, chunks } = this.#deps;
    for (;;) {
      const record = store.find();
      if (!record || record.phase === "completing") return true;
      const part = store.lastPart() + 1;
      if (chunks.next() < part * chunkPlanOf(record).chunksPerPart) return true;
      const sent = await reader.unlessStopped(chunks.send(record, [part]));
      if (sent !== true) return sent === "stopped";
    }
  }

  /** Completes an upload whose bytes are all stored. @returns the answer to the request */
  async #complete(appended: AppendResult & { ok: true }): Promise<AppendResult> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, COMPLETION_WAIT_MS, null);
    });
    try {
      const completed = await Promise.race([this.#deps.complete(), timeout]);
      // The alarm continues a completion that has not ended.
      if (!completed || completed.ok || completed.code === "STORAGE_UNAVAILABLE") return appended;
      // Storage has lost parts, so the sender begins again at offset 0.
      return completed.code === "UPLOAD_INCOMPLETE" ? OFFSET_CONFLICT : completed;
    } finally {
      clearTimeout(timer);
    }
  }
}

function tooLong({ plan }: state.UploadRecord): UploadRejection {
  const message = `This upload has ${plan.lifetime.sizeBytes} bytes, and more than those came.`;
  return { ok: false, code: "BODY_TOO_LARGE", message };
}

/** The rejection of another size. @param sizeBytes of the upload, as far as it is known */
function otherSize(sizeBytes: number): UploadRejection {
  return {
    ok: false,
    code: "BAD_REQUEST",
    message: `Upload-Length is another one: this upload has ${sizeBytes} bytes.`,
  };
}
