import { UploadGoneError } from "#worker/storage/objects.ts";
import { chunkPlanOf, logSendFailure, type Receiving } from "./chunks.ts";
import {
  checkTransport,
  MARK_MISSING,
  MAX_MISSING_LISTED,
  NO_UPLOAD,
  requireOpen,
  uploadIncomplete,
  WRONG_ADDRESS,
  type ChunkResult,
  type CompleteResult,
  type OpenUpload,
  type UploadRejection,
} from "./results.ts";
import { isAppended, isSettled, recordActivity, type UploadRecord } from "./state.ts";

export interface Chunk {
  /** The number of the chunk, from 0. */
  index: number;
  bytes: ArrayBuffer;
  /** Of the bytes, in hex. */
  sha256: string;
  /** The mark of a sealed chunk. */
  mark?: string | undefined;
}

/** Receives chunks by number, in any order and in parallel. A stored chunk may come again. */
export class ChunkReceiver {
  readonly #deps: Receiving;
  readonly #receiving = new Map<number, Promise<unknown>>();

  constructor(deps: Receiving) {
    this.#deps = deps;
  }

  /** Idempotent. */
  async receive(chunk: Chunk): Promise<ChunkResult> {
    const { chunks, onChunk } = this.#deps;
    const stored = await this.#storeOnce(chunk);
    if (!stored.ok) return stored;
    const open = this.#findOpen();
    if (!open.ok) return open;
    const receivedChunks = chunks.count();
    onChunk(open.record, receivedChunks);
    return { ok: true, receivedChunks };
  }

  /** Idempotent. */
  async finalize(): Promise<CompleteResult> {
    const { store, chunks, complete } = this.#deps;
    const record = store.find();
    if (!record) return NO_UPLOAD;
    const rejection = checkTransport(record, "chunks");
    if (rejection) return rejection;
    if (!isSettled(record) && record.phase !== "completing") {
      const missing = chunks.missing(record, MAX_MISSING_LISTED);
      if (missing.length > 0) return uploadIncomplete(missing);
      if (!(await chunks.send(record))) return { ok: false, code: "STORAGE_UNAVAILABLE" };
    }
    const result = await complete();
    // The client sends chunks and does not know parts.
    const lacksParts = !result.ok && result.code === "UPLOAD_INCOMPLETE";
    return lacksParts ? uploadIncomplete(chunks.missing(record, MAX_MISSING_LISTED)) : result;
  }

  #findOpen(): OpenUpload | UploadRejection {
    const open = requireOpen(this.#deps.store.find());
    return open.ok && isAppended(open.record) ? WRONG_ADDRESS : open;
  }

  /** Calls with the same index run in sequence, so that a chunk with other bytes is rejected even in parallel. */
  async #storeOnce(chunk: Chunk): Promise<{ ok: true } | UploadRejection> {
    while (this.#receiving.has(chunk.index)) await this.#receiving.get(chunk.index);
    const open = this.#findOpen();
    if (!open.ok) return open;
    const rejection = checkChunk(open.record, chunk);
    if (rejection) return rejection;
    const stored = this.#deps.chunks.sha256Of(chunk.index);
    if (stored !== null) return stored === chunk.sha256 ? { ok: true } : { ok: false, code: "CHUNK_CONFLICT" };
    const saving = this.#save(open.record, chunk).finally(() => this.#receiving.delete(chunk.index));
    this.#receiving.set(chunk.index, saving);
    return saving;
  }

  async #save(record: UploadRecord, chunk: Chunk): Promise<{ ok: true } | UploadRejection> {
    const { chunks, store } = this.#deps;
    const { chunksPerPart } = chunkPlanOf(record);
    const part = Math.floor(chunk.index / chunksPerPart) + 1;
    if (chunksPerPart > 1) {
      this.#add(record, chunk, chunk.bytes);
      store.save(recordActivity(record, Date.now()));
      await chunks.send(record, [part]);
      return { ok: true };
    }
    try {
      await chunks.sendPart(record, part, new Uint8Array(chunk.bytes));
    } catch (error) {
      if (error instanceof UploadGoneError) return { ok: false, code: "UPLOAD_CLOSED" };
      logSendFailure(record, error);
      return { ok: false, code: "STORAGE_UNAVAILABLE" };
    }
    this.#add(record, chunk, null);
    return { ok: true };
  }

  #add({ plan }: UploadRecord, { index, sha256, mark }: Chunk, bytes: ArrayBuffer | null): void {
    if (plan.isSealed) this.#deps.store.addMark(index, mark);
    this.#deps.chunks.add(index, sha256, bytes);
  }
}

function checkChunk(record: UploadRecord, { index, bytes, mark }: Chunk): UploadRejection | null {
  const reject = (message: string): UploadRejection => ({ ok: false, code: "BAD_REQUEST", message });
  if (record.plan.chunkSizeBytes === null) return reject("This upload does not come in chunks.");
  if (record.plan.isSealed && mark === undefined) return { ok: false, ...MARK_MISSING };
  const { chunkCount, chunkSizeBytes, sizeBytes } = chunkPlanOf(record);
  if (index >= chunkCount) return reject(`This upload has ${chunkCount} chunks, the first is 0.`);
  if (bytes.byteLength > chunkSizeBytes) return { ok: false, code: "CHUNK_TOO_LARGE", maxChunkSize: chunkSizeBytes };
  const expectedBytes = Math.min(chunkSizeBytes, sizeBytes - index * chunkSizeBytes);
  return bytes.byteLength === expectedBytes ? null : reject(`Chunk ${index} has to hold ${expectedBytes} bytes.`);
}
