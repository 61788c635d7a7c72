import { crc32 } from "node:zlib";
import { logError } from "#worker/log.ts";
import { objectKey } from "#worker/storage/keys.ts";
import { putIncoming, putPart, UploadGoneError } from "#worker/storage/objects.ts";
import { chunksAreParts, partOfChunk, type Chunk, type ChunkStore } from "./chunks.ts";
import { storeReceipts } from "./part-receiver.ts";
import {
  checkTransport,
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
import { isAppended, isSettled, missingParts, recordActivity, type UploadRecord } from "./state.ts";
import type { UploadStore } from "./store.ts";

interface Dependencies {
  bucket: R2Bucket;
  chunks: ChunkStore;
  store: UploadStore;
  onChunk(record: UploadRecord, chunks: number): void;
  complete(): Promise<CompleteResult>;
}

/** Stores chunks durably, and sends a part to R2 once all of its chunks have arrived. */
export class ChunkReceiver {
  readonly #deps: Dependencies;
  readonly #flushing = new Map<number, Promise<void>>();
  readonly #receiving = new Map<number, Promise<unknown>>();

  constructor(deps: Dependencies) {
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
      if (!(await this.flush(record))) return { ok: false, code: "STORAGE_UNAVAILABLE" };
    }
    const result = await complete();
    // The client knows chunks, not parts.
    const lacksParts = !result.ok && result.code === "UPLOAD_INCOMPLETE";
    return lacksParts ? uploadIncomplete(chunks.missing(record, MAX_MISSING_LISTED)) : result;
  }

  #findOpen(): OpenUpload | UploadRejection {
    const open = requireOpen(this.#deps.store.find());
    return open.ok && isAppended(open.record) ? WRONG_ADDRESS : open;
  }

  /** Calls with one index run in sequence, so a chunk with other bytes is rejected even in parallel. */
  async #storeOnce(chunk: Chunk): Promise<{ ok: true } | UploadRejection> {
    for (;;) {
      const earlier = this.#receiving.get(chunk.index);
      if (!earlier) break;
      await earlier;
    }
    const open = this.#findOpen();
    if (!open.ok) return open;
    const check = this.#deps.chunks.check(open.record, chunk);
    if (check.kind === "rejected") return { ok: false, ...check };
    if (check.kind === "known") return { ok: true };
    const saving = this.#save(open.record, chunk).finally(() => this.#receiving.delete(chunk.index));
    this.#receiving.set(chunk.index, saving);
    return saving;
  }

  async #save(record: UploadRecord, chunk: Chunk): Promise<{ ok: true } | UploadRejection> {
    const part = partOfChunk(record, chunk.index);
    if (!chunksAreParts(record)) {
      this.#add(record, chunk, true);
      this.#deps.store.save(recordActivity(record, Date.now()));
      await this.#flushPart(record, part).catch(logFlushFailure(record));
      return { ok: true };
    }
    try {
      await this.#sendPart(record, part, new Uint8Array(chunk.bytes));
    } catch (error) {
      if (error instanceof UploadGoneError) return { ok: false, code: "UPLOAD_CLOSED" };
      logFlushFailure(record)(error);
      return { ok: false, code: "STORAGE_UNAVAILABLE" };
    }
    this.#add(record, chunk, false);
    return { ok: true };
  }

  #add({ plan }: UploadRecord, chunk: Chunk, keepBytes: boolean): void {
    if (plan.isSealed) this.#deps.store.addMark(chunk.index, chunk.mark);
    this.#deps.chunks.add(chunk, keepBytes);
  }

  /** @returns false when R2 does not answer */
  async flush(record: UploadRecord): Promise<boolean> {
    const { fileId, partSizeBytes, contentType } = record.plan;
    try {
      // An empty file has no chunk and no part.
      if (partSizeBytes === null) await putIncoming(this.#deps.bucket, fileId, "", contentType);
      const sentParts = new Set(this.#deps.store.partNumbers());
      for (const part of missingParts(record, sentParts)) await this.#flushPart(record, part);
      return true;
    } catch (error) {
      logFlushFailure(record)(error);
      return false;
    }
  }

  /** Sends a part whose chunks are all stored. @returns false when R2 does not answer */
  async sendStored(record: UploadRecord, part: number): Promise<boolean> {
    try {
      await this.#flushPart(record, part);
      return true;
    } catch (error) {
      logFlushFailure(record)(error);
      return false;
    }
  }

  #flushPart(record: UploadRecord, part: number): Promise<void> {
    const running = this.#flushing.get(part);
    if (running) return running;
    const flushing = this.#flush(record, part).finally(() => this.#flushing.delete(part));
    this.#flushing.set(part, flushing);
    return flushing;
  }

  async #flush(record: UploadRecord, part: number): Promise<void> {
    const bytes = this.#deps.chunks.readPart(record, part);
    if (!bytes) return;
    await this.#sendPart(record, part, bytes);
    this.#deps.chunks.deleteBytes(record, part);
  }

  async #sendPart(record: UploadRecord, part: number, bytes: Uint8Array): Promise<void> {
    const etag = await putPart(this.#deps.bucket, objectKey(record.plan.fileId), record.r2UploadId ?? "", part, bytes);
    // The upload may have ended while the part was being sent.
    const current = this.#deps.store.find();
    const receipt = { part, etag, crc32: crc32(bytes).toString(16).padStart(8, "0") };
    if (current) storeReceipts(this.#deps.store, current, [receipt]);
  }
}

/** No chunk is lost: a later chunk or the completion sends the part again. */
function logFlushFailure({ plan }: UploadRecord): (error: unknown) => void {
  return (error) => logError("upload.flush_failed", error, { uploadId: plan.fileId });
}
