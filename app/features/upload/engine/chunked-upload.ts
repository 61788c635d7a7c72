import { api, ApiError } from "#app/lib/api.ts";
import { mimeTypeOf } from "#domain/mime.ts";
import { chunkSizeFor, MIN_CHUNK_BYTES } from "#domain/parts.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { InitChunkedAnswer } from "#domain/wire.ts";
import { ChunkError } from "./errors.ts";
import { fingerprint } from "./fingerprint.ts";
import { postChunk } from "./post-chunk.ts";
import { ProgressMeter } from "./progress.ts";
import { retryUploadStep, type RetryPolicy } from "./retry.ts";
import { answering } from "./upload-step.ts";
import type { FinishedUpload, UploadEvents, UploadOptions } from "./direct-upload.ts";

/** A chunk is tried again three times, after 2 s, doubling to 10 s at most (specification 2 section 9). */
const CHUNK_RETRIES: RetryPolicy = {
  retries: 3,
  waitMs: (retry) => Math.min(2 * SECOND_MS * 2 ** (retry - 1), 10 * SECOND_MS),
};

/** The next upload asks for chunks no larger than this: a quarter of what did not get through, and at least 64 KB. */
let mostChunkBytes: number | undefined;

/**
 * One file on its way through our own server, a chunk a request, in order. A file whose upload broke off goes on from
 * the chunks the server has.
 */
export class ChunkedUpload {
  readonly #file: File;
  readonly #options: UploadOptions;
  readonly #events: UploadEvents;
  readonly #abort = new AbortController();
  readonly #meter: ProgressMeter;
  #init: InitChunkedAnswer | null = null;

  constructor(file: File, options: UploadOptions, events: UploadEvents) {
    this.#file = file;
    this.#options = options;
    this.#events = events;
    this.#meter = new ProgressMeter(file.size);
  }

  /** @throws ApiError, ChunkError, StepError, DOMException AbortError after `cancel` */
  async run(): Promise<FinishedUpload> {
    const { signal } = this.#abort;
    const init = await this.#begin();
    signal.throwIfAborted();
    this.#init = init;
    this.#events.onStarted(init);
    const total = Math.ceil(this.#file.size / init.chunkSize);
    this.#note(init.nextChunk * init.chunkSize);
    for (let index = init.nextChunk; index < total; index += 1) {
      this.#events.onChunk(index + 1, total);
      await this.#sendChunk(init, index, total);
    }
    this.#events.onFinishing();
    const finalize = () => api.finalizeChunked(init.uploadId, signal);
    const { shareUrl, expiresAt } = await answering(
      (t) => t("finalizeFailed"),
      ["shareUrl"],
      () => retryUploadStep(finalize, isPassing, signal),
    );
    const { name, size } = this.#file;
    return { id: init.uploadId, shareUrl, filename: name, size, expiresAt: expiresAt ?? null };
  }

  /** Stops at once, discards what has arrived, and frees what was reserved. */
  cancel(): void {
    this.#abort.abort();
    if (this.#init) api.cancelUpload(this.#init.downloadId).catch(() => undefined);
  }

  async #begin(): Promise<InitChunkedAnswer> {
    const { name, type, size, lastModified } = this.#file;
    const { signal } = this.#abort;
    const request = {
      filename: name,
      fileType: mimeTypeOf(name, type),
      totalSize: String(size),
      totalChunks: String(Math.ceil(size / chunkSizeFor(size, mostChunkBytes))),
      lastModified,
      fingerprint: await fingerprint(this.#file),
      ...this.#options,
      ...(mostChunkBytes === undefined ? {} : { maxChunkSize: mostChunkBytes }),
    };
    return answering(
      (t) => t("initializeFailed"),
      ["uploadId", "chunkSize", "shareUrl"],
      () => retryUploadStep(() => api.initChunked(request, signal), isPassing, signal),
    );
  }

  async #sendChunk({ uploadId, chunkSize }: InitChunkedAnswer, index: number, total: number): Promise<void> {
    const { signal } = this.#abort;
    const start = index * chunkSize;
    const chunk = this.#file.slice(start, start + chunkSize);
    const onProgress = (sentBytes: number) => {
      this.#note(start + Math.min(sentBytes, chunk.size));
    };
    try {
      const send = () => postChunk({ uploadId, index, total, chunk, signal, onProgress });
      await retryUploadStep(send, isPassing, signal, CHUNK_RETRIES);
    } catch (error) {
      if (error instanceof ChunkError && (error.kind === "too-large" || error.kind === "timeout")) {
        mostChunkBytes = Math.max(MIN_CHUNK_BYTES, chunkSize / 4);
      }
      if (!(error instanceof ChunkError) || error.kind !== "unreadable") throw error;
      const failed = { number: index + 1, retries: CHUNK_RETRIES.retries };
      throw new ChunkError("unreadable", (t) => t("chunkFailed", failed));
    }
  }

  #note(sentBytes: number): void {
    const progress = this.#meter.update(sentBytes, performance.now());
    // The last percent is the server's: it belongs to the finished file.
    if (progress) this.#events.onProgress({ ...progress, percent: Math.min(99, progress.percent) });
  }
}

function isPassing(error: unknown): boolean {
  if (error instanceof ChunkError) return error.kind !== "too-large" && error.kind !== "refused";
  if (error instanceof ApiError) return error.status >= 500 || error.status === 429;
  return error instanceof TypeError;
}
