import { crc32 } from "node:zlib";
import type { Receipt } from "#domain/wire.ts";
import { logError } from "#worker/log.ts";
import { objectKey } from "#worker/storage/keys.ts";
import { putIncoming, putPart, UploadGoneError } from "#worker/storage/objects.ts";
import { chunksAreParts, partOfChunk, type Chunk, type ChunkStore } from "./chunks.ts";
import type { OpenUpload, UploadRejection } from "./results.ts";
import { missingParts, recordActivity, type UploadRecord } from "./state.ts";
import type { UploadStore } from "./store.ts";

/** Stores chunks durably, and sends a part to R2 once all of its chunks have arrived. */
export class ChunkReceiver {
  readonly #bucket: R2Bucket;
  readonly #chunks: ChunkStore;
  readonly #store: UploadStore;
  readonly #onParts: (receipts: Receipt[]) => void;

  readonly #flushing = new Map<number, Promise<void>>();
  readonly #receiving = new Map<number, Promise<unknown>>();

  constructor(bucket: R2Bucket, chunks: ChunkStore, store: UploadStore, onParts: (receipts: Receipt[]) => void) {
    this.#bucket = bucket;
    this.#chunks = chunks;
    this.#store = store;
    this.#onParts = onParts;
  }

  /** Idempotent. Calls with one index run in sequence, so a chunk with other bytes is rejected even in parallel. */
  async receive(findOpen: () => OpenUpload | UploadRejection, chunk: Chunk): Promise<{ ok: true } | UploadRejection> {
    for (;;) {
      const earlier = this.#receiving.get(chunk.index);
      if (!earlier) break;
      await earlier;
    }
    const open = findOpen();
    if (!open.ok) return open;
    const check = this.#chunks.check(open.record, chunk);
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
      this.#store.save(recordActivity(record, Date.now()));
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
    if (plan.isSealed) this.#store.addMark(chunk.index, chunk.mark);
    this.#chunks.add(chunk, keepBytes);
  }

  /** @returns false when R2 does not answer */
  async flush(record: UploadRecord): Promise<boolean> {
    const { fileId, partSizeBytes, contentType } = record.plan;
    try {
      // An empty file has no chunk and no part.
      if (partSizeBytes === null) await putIncoming(this.#bucket, fileId, "", contentType);
      const sentParts = new Set(this.#store.partNumbers());
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
    const bytes = this.#chunks.readPart(record, part);
    if (!bytes) return;
    await this.#sendPart(record, part, bytes);
    this.#chunks.deleteBytes(record, part);
  }

  async #sendPart(record: UploadRecord, part: number, bytes: Uint8Array): Promise<void> {
    const etag = await putPart(this.#bucket, objectKey(record.plan.fileId), record.r2UploadId ?? "", part, bytes);
    this.#onParts([{ part, etag, crc32: crc32(bytes).toString(16).padStart(8, "0") }]);
  }
}

/** No chunk is lost: a later chunk or the completion sends the part again. */
function logFlushFailure({ plan }: UploadRecord): (error: unknown) => void {
  return (error) => logError("upload.flush_failed", error, { uploadId: plan.fileId });
}
