import { api } from "#app/lib/api.ts";
import { uploadApi } from "./upload-api.ts";
import { mimeTypeOf } from "#domain/mime.ts";
import { chunkSizeFor, MIN_CHUNK_BYTES } from "#domain/parts.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { InitChunkedAnswer } from "#domain/wire.ts";
import { TransferError } from "./errors.ts";
import { fingerprint } from "./fingerprint.ts";
import { postChunk } from "./post-chunk.ts";
import { ProgressReporter } from "./progress.ts";
import { retryUploadStep, type RetryPolicy } from "./retry.ts";
import { isRetryableCall, requireAnswer } from "./upload-step.ts";
import type { FinishedUpload, UploadEvents, UploadOptions } from "./upload-types.ts";

/** Retries of a chunk: after 2 s, doubling up to 10 s (decision 024). */
const CHUNK_RETRIES: RetryPolicy = {
  maxRetries: 3,
  waitMs: (retry) => Math.min(2 * SECOND_MS * 2 ** (retry - 1), 10 * SECOND_MS),
};

/** Upper bound for the next upload: a quarter of a chunk size that failed, at least 64 KB. */
let maxChunkBytes: number | undefined;

/** Uploads a file through our server, one chunk per request, in order. Resumes an interrupted upload of the same file. */
export class ChunkedUpload {
  readonly #file: File;
  readonly #options: UploadOptions;
  readonly #events: UploadEvents;
  readonly #abort = new AbortController();
  readonly #progress: ProgressReporter;
  #init: InitChunkedAnswer | null = null;

  constructor(file: File, options: UploadOptions, events: UploadEvents) {
    this.#file = file;
    this.#options = options;
    this.#events = events;
    this.#progress = new ProgressReporter(file.size, (progress) => {
      // 100 % is for the file that the server has assembled.
      events.onProgress({ ...progress, percent: Math.min(99, progress.percent) });
    });
  }

  /** @throws ApiError, UploadError, DOMException AbortError after `cancel` */
  async run(): Promise<FinishedUpload> {
    try {
      return await this.#run();
    } finally {
      this.#progress.stop();
    }
  }

  async #run(): Promise<FinishedUpload> {
    const { signal } = this.#abort;
    const init = await this.#start();
    this.#init = init;
    // Cancelled before the server had answered.
    if (signal.aborted) this.cancel();
    signal.throwIfAborted();
    this.#events.onStarted(init);
    const total = Math.ceil(this.#file.size / init.chunkSize);
    this.#progress.update(init.nextChunk * init.chunkSize);
    for (let index = init.nextChunk; index < total; index += 1) {
      this.#events.onChunk(index + 1, total);
      await this.#sendChunk(init, index, total);
    }
    this.#events.onFinishing();
    const finalize = () => uploadApi.finalizeChunked(init.uploadId, signal);
    const { shareUrl, expiresAt } = await requireAnswer(
      (t) => t("finalizeFailed"),
      ["shareUrl"],
      () => retryUploadStep("completion", finalize, isRetryableCall, signal),
    );
    const { name, size } = this.#file;
    return { id: init.uploadId, shareUrl, filename: name, size, expiresAt: expiresAt ?? null };
  }

  cancel(): void {
    this.#abort.abort();
    if (this.#init) api.cancelUpload(this.#init.downloadId).catch(() => undefined);
  }

  async #start(): Promise<InitChunkedAnswer> {
    const { name, type, size, lastModified } = this.#file;
    const { signal } = this.#abort;
    const request = {
      filename: name,
      fileType: mimeTypeOf(name, type),
      totalSize: String(size),
      totalChunks: String(Math.ceil(size / chunkSizeFor(size, maxChunkBytes))),
      lastModified,
      fingerprint: await fingerprint(this.#file),
      ...this.#options,
      ...(maxChunkBytes === undefined ? {} : { maxChunkSize: maxChunkBytes }),
    };
    return requireAnswer(
      (t) => t("initializeFailed"),
      ["uploadId", "chunkSize", "shareUrl"],
      () => retryUploadStep("start", () => uploadApi.initChunked(request), isRetryableCall, signal),
    );
  }

  async #sendChunk({ uploadId, chunkSize }: InitChunkedAnswer, index: number, total: number): Promise<void> {
    const { signal } = this.#abort;
    const start = index * chunkSize;
    const chunk = this.#file.slice(start, start + chunkSize);
    const onProgress = (sentBytes: number) => {
      this.#progress.update(start + Math.min(sentBytes, chunk.size));
    };
    try {
      const send = () => postChunk({ uploadId, index, total, chunk, signal, onProgress });
      await retryUploadStep(`chunk ${index + 1} of ${total}`, send, isRetryableChunk, signal, CHUNK_RETRIES);
    } catch (error) {
      if (!(error instanceof TransferError)) throw error;
      if (error.status === 413 || error.failure === "timeout") {
        maxChunkBytes = Math.max(MIN_CHUNK_BYTES, chunkSize / 4);
      }
      const hasServerFailed = error.status > 0 && isRetryableChunk(error);
      if (!hasServerFailed) throw error;
      const failedChunk = { number: index + 1, retries: CHUNK_RETRIES.maxRetries };
      throw new TransferError("chunks", error.failure, (t) => t("chunkFailed", failedChunk), error.status);
    }
  }
}

function isRetryableChunk(error: unknown): boolean {
  if (!(error instanceof TransferError)) return false;
  return error.failure !== "rejected" || error.status >= 500 || error.status === 429;
}
