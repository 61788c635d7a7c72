import type { Receipt } from "#domain/wire.ts";
import { incomingKey } from "#worker/storage/keys.ts";
import { putPart } from "#worker/storage/objects.ts";
import { chunksAreParts, partOfChunk, type Chunk, type ChunkStore } from "./chunks.ts";
import { missingParts, noteReceipt, type UploadRecord } from "./upload-state.ts";
import type { UploadStore } from "./upload-store.ts";

/** Turns chunks into parts: keeps each durably, and sends a part to storage once all of its chunks are here. */
export class ChunkReceiver {
  readonly #bucket: R2Bucket;
  readonly #chunks: ChunkStore;
  readonly #store: UploadStore;
  readonly #onParts: (record: UploadRecord, receipts: Receipt[]) => void;

  readonly #flushing = new Map<number, Promise<void>>();

  constructor(
    bucket: R2Bucket,
    chunks: ChunkStore,
    store: UploadStore,
    onParts: (record: UploadRecord, receipts: Receipt[]) => void,
  ) {
    this.#bucket = bucket;
    this.#chunks = chunks;
    this.#store = store;
    this.#onParts = onParts;
  }

  /** Keeps a chunk that has not been here before. @throws what the store throws, for a chunk that is a part itself */
  async take(record: UploadRecord, chunk: Chunk): Promise<void> {
    const part = partOfChunk(record, chunk.index);
    if (chunksAreParts(record)) {
      await this.#sendPart(record, part, new Uint8Array(chunk.bytes));
      // Another request may have brought the same chunk while this one was on its way to storage.
      if (this.#chunks.judge(record, chunk).kind === "new") this.#chunks.add(chunk, false);
      return;
    }
    this.#chunks.add(chunk, true);
    this.#store.save(noteReceipt(record, Date.now()));
    await this.#flushPart(record, part).catch(logFailure(record));
  }

  /** Sends what is left, before the upload is completed. @returns false when storage does not answer */
  async flush(record: UploadRecord): Promise<boolean> {
    const { fileId, partSizeBytes } = record.plan;
    try {
      // An empty file has no chunk and no part.
      if (partSizeBytes === null) await this.#bucket.put(incomingKey(fileId), "");
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
    this.#onParts(record, [{ part, etag }]);
  }
}

/** The chunks are kept: their part goes with a later chunk, or when the upload is finalized. */
function logFailure({ plan }: UploadRecord): (error: unknown) => void {
  return (error) => {
    console.error({ event: "upload.flush_failed", uploadId: plan.fileId, error: String(error) });
  };
}
