import type { Receipt } from "#domain/wire.ts";
import { logError } from "#worker/log.ts";
import { putIncoming, putPart, UploadGoneError } from "#worker/storage/objects.ts";
import { chunksAreParts, partOfChunk, type Chunk, type ChunkStore } from "./chunks.ts";
import type { Refusal } from "./upload-results.ts";
import { missingParts, recordReceipt, type UploadRecord } from "./upload-state.ts";
import type { UploadStore } from "./upload-store.ts";

/** Turns chunks into parts: keeps each durably, and sends a part to storage once all of its chunks are here. */
export class ChunkReceiver {
  readonly #bucket: R2Bucket;
  readonly #chunks: ChunkStore;
  readonly #store: UploadStore;
  readonly #onParts: (receipts: Receipt[]) => void;

  readonly #flushing = new Map<number, Promise<void>>();
  readonly #taking = new Map<number, Promise<unknown>>();

  constructor(bucket: R2Bucket, chunks: ChunkStore, store: UploadStore, onParts: (receipts: Receipt[]) => void) {
    this.#bucket = bucket;
    this.#chunks = chunks;
    this.#store = store;
    this.#onParts = onParts;
  }

  /**
   * Takes a chunk that comes for the first time, or again. Chunks of one index wait for each other, so of two that
   * differ one is refused.
   * @param open gives the upload as it is now, or why it takes no chunks
   */
  async take(open: () => UploadRecord | Refusal, chunk: Chunk): Promise<{ ok: true } | Refusal> {
    for (let before = this.#taking.get(chunk.index); before; before = this.#taking.get(chunk.index)) await before;
    const record = open();
    if ("ok" in record) return record;
    const verdict = this.#chunks.judge(record, chunk);
    if (verdict.kind === "refused") return { ok: false, ...verdict };
    if (verdict.kind === "known") return { ok: true };
    const keeping = this.#keep(record, chunk).finally(() => this.#taking.delete(chunk.index));
    this.#taking.set(chunk.index, keeping);
    return keeping;
  }

  async #keep(record: UploadRecord, chunk: Chunk): Promise<{ ok: true } | Refusal> {
    const part = partOfChunk(record, chunk.index);
    if (!chunksAreParts(record)) {
      this.#chunks.add(chunk, true);
      this.#store.save(recordReceipt(record, Date.now()));
      await this.#flushPart(record, part).catch(logFailure(record));
      return { ok: true };
    }
    try {
      await this.#sendPart(record, part, new Uint8Array(chunk.bytes));
    } catch (error) {
      if (error instanceof UploadGoneError) return { ok: false, code: "UPLOAD_CLOSED" };
      logFailure(record)(error);
      return { ok: false, code: "STORAGE_UNAVAILABLE" };
    }
    this.#chunks.add(chunk, false);
    return { ok: true };
  }

  /** Sends what is left, before the upload is completed. @returns false when storage does not answer */
  async flush(record: UploadRecord): Promise<boolean> {
    const { fileId, partSizeBytes, contentType } = record.plan;
    try {
      // An empty file has no chunk and no part.
      if (partSizeBytes === null) await putIncoming(this.#bucket, fileId, "", contentType);
      const sent = new Set(this.#store.partNumbers());
      for (const part of missingParts(record, sent)) await this.#flushPart(record, part);
      return true;
    } catch (error) {
      logFailure(record)(error);
      return false;
    }
  }

  /** Chunks that come together complete their part once. */
  #flushPart(record: UploadRecord, part: number): Promise<void> {
    const running = this.#flushing.get(part);
    if (running) return running;
    const flushing = this.#flush(record, part).finally(() => this.#flushing.delete(part));
    this.#flushing.set(part, flushing);
    return flushing;
  }

  async #flush(record: UploadRecord, part: number): Promise<void> {
    const bytes = this.#chunks.wholePart(record, part);
    if (!bytes) return;
    await this.#sendPart(record, part, bytes);
    this.#chunks.dropBytes(record, part);
  }

  async #sendPart(record: UploadRecord, part: number, bytes: Uint8Array): Promise<void> {
    const etag = await putPart(this.#bucket, record.plan.fileId, record.r2UploadId ?? "", part, bytes);
    this.#onParts([{ part, etag }]);
  }
}

/** The chunks are kept: their part goes with a later chunk, or when the upload is finalized. */
function logFailure({ plan }: UploadRecord): (error: unknown) => void {
  return (error) => {
    logError("upload.flush_failed", error, { uploadId: plan.fileId });
  };
}
