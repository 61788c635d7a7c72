import { chunkSizeFor, MIN_CHUNK_BYTES, partRange } from "#domain/parts.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { InitChunkedAnswer } from "#domain/wire.ts";
import { TransportError } from "./errors.ts";
import { pictureOf, type PictureSender } from "./pictures.ts";
import type { ChunkPorts } from "./ports.ts";
import { ProgressReporter } from "./progress.ts";
import { resendCause, UploadRecorder } from "./upload-recorder.ts";
import { fileChanged, openSource, sentBytesOf } from "./upload-source.ts";
import { retryUploadStep, type RetryPolicy, requireAnswer } from "./upload-step.ts";
import {
  endOf,
  type FinishedUpload,
  type SentRange,
  type UploadEvents,
  type UploadOptions,
  type UploadSource,
} from "./upload-types.ts";

/** Retries of a chunk: after 2 s, doubling up to 10 s (decision 024). */
const CHUNK_RETRIES: RetryPolicy = {
  maxRetries: 3,
  waitMs: (retry) => Math.min(2 * SECOND_MS * 2 ** (retry - 1), 10 * SECOND_MS),
};

/** The largest chunk for the next upload, in bytes: a quarter of a chunk size that failed, at least 64 KB. */
let maxChunkBytes: number | undefined;

/** Uploads a file through our server, one chunk per request, in order. Resumes an interrupted upload of the same file. */
export class ChunkedUpload {
  readonly #ports: ChunkPorts;
  readonly #file: File;
  readonly #options: UploadOptions;
  readonly #events: UploadEvents;
  readonly #abort = new AbortController();
  readonly #progress: ProgressReporter;
  readonly #sizeBytes: number;
  readonly #record = new UploadRecorder(performance.now(), true);
  readonly #pictures: PictureSender;
  #source: UploadSource | null = null;
  #init: InitChunkedAnswer | null = null;
  #isCancelled = false;

  constructor(ports: ChunkPorts, file: File, options: UploadOptions, events: UploadEvents) {
    this.#ports = ports;
    this.#file = file;
    this.#options = options;
    this.#events = events;
    this.#pictures = pictureOf(ports, file, options, events);
    this.#sizeBytes = sentBytesOf(file, options);
    this.#progress = new ProgressReporter(this.#sizeBytes, (progress) => {
      // 100 % is shown when the server has assembled the file.
      events.onProgress({ ...progress, percent: Math.min(99, progress.percent) });
    });
  }

  /** @throws ApiError, UploadError, DOMException AbortError after `cancel` */
  async run(): Promise<FinishedUpload> {
    try {
      return await this.#run();
    } catch (error) {
      this.#pictures.stop();
      if (!this.#isCancelled) this.#record.noteFailure(this.#ports.calls, this.#init);
      throw error;
    } finally {
      this.#progress.stop();
    }
  }

  async #run(): Promise<FinishedUpload> {
    const { signal } = this.#abort;
    const source = await openSource(this.#ports, this.#file, this.#options, signal, true);
    this.#source = source;
    const init = await this.#start(source);
    this.#init = init;
    // The person may have cancelled before the server answered the start.
    if (signal.aborted) this.cancel();
    signal.throwIfAborted();
    const marks = init.marks?.map(({ chunk, mark }) => ({ part: chunk + 1, mark }));
    this.#events.onStarted({ ...init, shareUrl: source.begin({ ...init, marks: marks ?? [] }) });
    this.#pictures.begin(init.downloadId, source.keys);
    const total = Math.ceil(this.#sizeBytes / init.chunkSize);
    const chunks = Array.from({ length: total }, (_, index) => this.#rangeOf(init, index));
    source.watch(this.#options.sealed ? chunks : this.#storedParts(init));
    const first = this.#firstChunk(init);
    this.#noteProgress(first * init.chunkSize);
    this.#record.begin(performance.now());
    this.#record.turnTo("files", performance.now());
    if (!this.#options.sealed) await this.#requireUnchanged(source, init);
    for (let index = first; index < total; index += 1) {
      this.#events.onChunk(index + 1, total);
      await this.#sendChunk(init, index, total);
    }
    this.#record.turnTo("files", performance.now());
    await this.#requireUnchanged(source, init);
    this.#events.onFinishing();
    await source.settle();
    this.#record.turnTo("server", performance.now());
    const finalize = () => {
      const summary = this.#record.summary(performance.now());
      return this.#ports.calls.finalizeChunked({ uploadId: init.uploadId, summary }, signal);
    };
    const problem = { code: "finalizeFailed" } as const;
    const finalized = await requireAnswer(this.#ports, "completion", finalize, ["shareUrl"], problem, signal);
    this.#pictures.finishUpload();
    const { shareUrl, expiresAt } = finalized;
    const { name: filename, size } = this.#file;
    return source.nameFinished({ id: init.uploadId, shareUrl, filename, size, expiresAt: expiresAt ?? null });
  }

  /** Cancels the upload if the file has changed, because no stored chunk can be sent again. @throws UploadError */
  async #requireUnchanged(source: UploadSource, init: InitChunkedAnswer): Promise<void> {
    if ((await source.findChanged()).length === 0) return;
    await this.#giveUpChanged(init);
  }

  async #giveUpChanged({ downloadId }: InitChunkedAnswer): Promise<never> {
    this.#source?.forget();
    await this.#ports.calls.cancelUpload(downloadId).catch(() => undefined);
    throw fileChanged();
  }

  /** The stored parts of a resumed plain upload, from the first part on, without a gap. */
  #storedParts({ sums = [], partSizeBytes = 0 }: InitChunkedAnswer): SentRange[] {
    const stored: SentRange[] = [];
    for (const { part } of sums) {
      if (part !== stored.length + 1) break;
      stored.push({ part, ...partRange(this.#sizeBytes, part, partSizeBytes) });
    }
    return stored;
  }

  /**
   * The first chunk to send. Stored chunks of an incomplete part have no sum, so such chunks are sent again: the server
   * refuses a chunk that differs from the stored one.
   */
  #firstChunk(init: InitChunkedAnswer): number {
    if (this.#options.sealed) return init.nextChunk;
    return Math.ceil((this.#storedParts(init).at(-1)?.end ?? 0) / init.chunkSize);
  }

  cancel(): void {
    this.#isCancelled = true;
    this.#abort.abort();
    this.#pictures.stop();
    this.#source?.forget();
    if (!this.#init) return;
    const summary = this.#record.summary(performance.now());
    // Nobody waits for the answer.
    this.#ports.calls.cancelUpload(this.#init.downloadId, summary).catch(() => undefined);
  }

  async #start(source: UploadSource): Promise<InitChunkedAnswer> {
    const { calls } = this.#ports;
    const { signal } = this.#abort;
    const request = {
      ...(await source.describe()),
      totalSize: String(this.#sizeBytes),
      totalChunks: String(Math.ceil(this.#sizeBytes / chunkSizeFor(this.#sizeBytes, maxChunkBytes))),
      ...endOf(this.#options),
      ...(maxChunkBytes === undefined ? {} : { maxChunkSize: maxChunkBytes }),
    };
    const init = () => calls.initChunked(request);
    const problem = { code: "initializeFailed" } as const;
    return requireAnswer(this.#ports, "start", init, ["uploadId", "chunkSize", "shareUrl"], problem, signal);
  }

  async #sendChunk(init: InitChunkedAnswer, index: number, total: number): Promise<void> {
    const { signal } = this.#abort;
    const { uploadId, chunkSize } = init;
    const range = this.#rangeOf(init, index);
    const { start } = range;
    if (!this.#source) throw new TypeError("the upload has not begun");
    this.#record.turnTo("files", performance.now());
    const { body: chunk, mark } = await this.#source.read(range);
    this.#record.turnTo("line", performance.now());
    const onProgress = (sentBytes: number) => this.#noteProgress(start + Math.min(sentBytes, chunk.size));
    try {
      const send = async () => {
        try {
          await this.#ports.postChunk({ uploadId, index, total, chunk, mark, signal, onProgress });
        } catch (error) {
          if (signal.aborted) throw error;
          onProgress(0);
          this.#record.noteResend(resendCause(error));
          throw error;
        }
      };
      const name = `chunk ${index + 1} of ${total}`;
      await retryUploadStep(this.#ports, name, send, isRetryableChunk, signal, CHUNK_RETRIES);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      if (error.status === 409 && index < init.nextChunk) return this.#giveUpChanged(init);
      if (error.status === 413 || error.failure === "timeout") {
        maxChunkBytes = Math.max(MIN_CHUNK_BYTES, chunkSize / 4);
      }
      const hasServerFailed = error.status > 0 && isRetryableChunk(error);
      if (!hasServerFailed) throw error;
      const failedChunk = { number: index + 1, retries: CHUNK_RETRIES.maxRetries };
      throw new TransportError("chunks", error.failure, { code: "chunkFailed", ...failedChunk }, error.status);
    }
  }

  #noteProgress(bytes: number): void {
    this.#record.noteProgress(bytes, performance.now());
    this.#progress.update(bytes);
  }

  #rangeOf({ chunkSize }: InitChunkedAnswer, index: number): SentRange {
    const start = index * chunkSize;
    return { part: index + 1, start, end: Math.min(start + chunkSize, this.#sizeBytes) };
  }
}

function isRetryableChunk(error: unknown): boolean {
  if (!(error instanceof TransportError)) return false;
  return error.failure !== "rejected" || error.status >= 500 || error.status === 429;
}
