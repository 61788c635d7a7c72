import { api, ApiError } from "#app/lib/api.ts";
import type { Expiration } from "#domain/expiry.ts";
import { mimeTypeOf } from "#domain/mime.ts";
import { isMultipart, PART_CONTENT_TYPE, partRange, planParts } from "#domain/parts.ts";
import type { CompleteUploadAnswer, StartUploadAnswer } from "#domain/wire.ts";
import { Concurrency } from "./concurrency.ts";
import { UploadError, type ErrorText } from "./errors.ts";
import { fingerprint } from "./fingerprint.ts";
import { hashFile } from "./hash.ts";
import { PartSender, isPassing } from "./part-sender.ts";
import { PartUrls } from "./part-urls.ts";
import { ProgressMeter, type PartsProgress, type Progress } from "./progress.ts";
import type { PutRoute } from "./put.ts";
import { ReceiptQueue } from "./receipt-queue.ts";
import { SenderSocket, type UploadEnd } from "./sender-socket.ts";
import { MAX_RETRIES, retryUploadStep } from "./retry.ts";
import { answering, inWords } from "./upload-step.ts";

export interface UploadOptions {
  expiration: Expiration;
  expirationChosen: boolean;
}

export interface UploadEvents {
  /** The link exists, from the first byte. */
  onStarted(start: { shareUrl: string; uploadId: string }): void;
  onProgress(progress: Progress): void;
  onTransport(transport: PutRoute): void;
  /** Only where a file goes straight to storage: how many of its parts are there. */
  onParts(parts: PartsProgress): void;
  /** Only where a file goes in chunks: which one is on its way, from 1. */
  onChunk(number: number, total: number): void;
  /** Everything is sent; the server is putting it together. */
  onFinishing(): void;
}

const NO_URL: ErrorText = (t) => t("noUrl");

/** What is shown of a file once its link leads to it. */
export type FinishedUpload = Pick<CompleteUploadAnswer, "id" | "shareUrl" | "filename" | "size" | "expiresAt">;

/**
 * One file on its way to storage: parts go up in parallel, each is retried, receipts and progress go over the socket.
 * A file whose upload broke off goes on from the parts the server has. Knows nothing of React.
 */
export class Upload {
  readonly #file: File;
  readonly #options: UploadOptions;
  readonly #events: UploadEvents;
  readonly #abort = new AbortController();
  readonly #receipts = new ReceiptQueue();
  readonly #concurrency = new Concurrency();
  readonly #meter: ProgressMeter;
  /** Bytes of each part that have left. */
  readonly #sent = new Map<number, number>();
  /** Parts that storage has. */
  readonly #stored = new Set<number>();
  #relay: SenderSocket | null = null;
  #start: StartUploadAnswer | null = null;
  #finishing = false;
  #endedElsewhere: UploadEnd | null = null;

  constructor(file: File, options: UploadOptions, events: UploadEvents) {
    this.#file = file;
    this.#options = options;
    this.#events = events;
    this.#meter = new ProgressMeter(file.size);
  }

  /**
   * Runs to the end. After an error the server keeps what arrived, and a new Upload of the same file goes on from there.
   * @returns the finished file's link
   * @throws ApiError when the server refuses, PutError when storage does, StepError when there is no telling why,
   *   UploadError when another device has discarded it, DOMException AbortError after `cancel`
   */
  async run(): Promise<CompleteUploadAnswer> {
    try {
      return await this.#run();
    } catch (error) {
      if (this.#endedElsewhere === null || this.#start === null) throw error;
      return await this.#followEnd(this.#start, this.#endedElsewhere);
    } finally {
      this.#relay?.close();
      this.#abort.abort();
    }
  }

  /** Stops at once, discards what has arrived, and frees what was reserved. */
  cancel(): void {
    this.#abort.abort();
    if (this.#start) api.cancelUpload(this.#start.downloadId).catch(() => undefined);
  }

  async #run(): Promise<CompleteUploadAnswer> {
    const { signal } = this.#abort;
    const { name, type, size, lastModified } = this.#file;
    const inParts = isMultipart(size);
    const request = {
      filename: name,
      fileType: mimeTypeOf(name, type),
      fileSize: size,
      lastModified,
      ...this.#options,
      fingerprint: inParts ? await fingerprint(this.#file) : null,
    };
    const start = await answering(NO_URL, ["downloadId", "shareUrl", "urls", "received"], () =>
      retryUploadStep(() => api.startUpload(request, signal), isPassing, signal),
    );
    this.#start = start;
    signal.throwIfAborted();
    this.#events.onStarted(start);
    this.#relay = new SenderSocket(start, name, this.#receipts, (status) => {
      // Our own completion says how it ended by itself.
      if (this.#finishing) return;
      this.#endedElsewhere = status;
      this.#abort.abort();
    });
    // A file that goes up in one piece is hashed by the server.
    const hashing = inParts ? hashFile(this.#file, signal) : Promise.resolve(null);

    const received = new Set(start.received);
    for (const part of received) this.#noteStored(part);
    const wanted = new Set(allParts(size).filter((part) => !received.has(part)));
    const urls = new PartUrls(start.downloadId, wanted, this.#receipts, signal);
    for (const { part, url } of start.urls) urls.add(part, url);
    const sender = new PartSender({
      downloadId: start.downloadId,
      urls,
      signal,
      contentType: start.multipart ? PART_CONTENT_TYPE : start.fileData.contentType,
      onTransport: (transport) => {
        this.#events.onTransport(transport);
      },
      onFailure: () => {
        this.#concurrency.recordFailure();
      },
    });
    await this.#sendParts([...wanted], sender);
    this.#finishing = true;
    this.#events.onFinishing();
    return await this.#finish(start, urls, sender, await hashing);
  }

  /** The same upload was finished, or discarded, from another device. */
  #followEnd({ downloadId }: StartUploadAnswer, status: UploadEnd): Promise<CompleteUploadAnswer> {
    if (status === "ready") return api.completeUpload({ downloadId, receipts: [] }, new AbortController().signal);
    throw new UploadError((t) => t("discardedElsewhere"));
  }

  /** Completes; parts that storage turns out not to have are sent again. */
  async #finish(
    start: StartUploadAnswer,
    urls: PartUrls,
    sender: PartSender,
    sha256: string | null,
  ): Promise<CompleteUploadAnswer> {
    const { signal } = this.#abort;
    const complete = async () => {
      await urls.deliverReceipts();
      const receipts = this.#receipts.unacknowledged(Infinity);
      return api.completeUpload({ downloadId: start.downloadId, receipts, ...(sha256 ? { sha256 } : {}) }, signal);
    };
    for (let retry = 0; ; retry += 1) {
      try {
        return await answering(
          (t) => t("completeFailed"),
          ["shareUrl", "filename", "size"],
          () => retryUploadStep(complete, isPassing, signal),
        );
      } catch (error) {
        const missing = missingParts(error);
        if (signal.aborted || missing === null || retry >= MAX_RETRIES) throw error;
        await this.#sendParts(missing, sender);
      }
    }
  }

  /** Sends parts, as many at a time as the line takes. The first error ends them all. */
  async #sendParts(parts: number[], sender: PartSender): Promise<void> {
    const waiting = [...parts];
    const active = new Set<Promise<void>>();
    while (waiting.length > 0 || active.size > 0) {
      while (active.size < this.#concurrency.limit) {
        const part = waiting.shift();
        if (part === undefined) break;
        const sending: Promise<void> = this.#sendPart(part, sender).finally(() => active.delete(sending));
        active.add(sending);
      }
      try {
        await Promise.race(active);
      } catch (error) {
        this.#abort.abort();
        await Promise.allSettled(active);
        throw error;
      }
    }
  }

  async #sendPart(part: number, sender: PartSender): Promise<void> {
    const { start, end } = partRange(this.#file.size, part);
    const onProgress = (sentBytes: number) => {
      this.#note(part, sentBytes);
    };
    // What a PUT says of itself is said; only a call for more URLs has no words of its own.
    const etag = await inWords(NO_URL, () => sender.send({ part, body: this.#file.slice(start, end), onProgress }));
    this.#noteStored(part);
    this.#concurrency.noteSuccess(end - start, performance.now());
    if (this.#start?.multipart) this.#receipts.add({ part, etag });
  }

  #lengthOf(part: number): number {
    const { start, end } = partRange(this.#file.size, part);
    return end - start;
  }

  #note(part: number, sentBytes: number): void {
    this.#sent.set(part, sentBytes);
    let loaded = 0;
    for (const bytes of this.#sent.values()) loaded += bytes;
    const progress = this.#meter.update(loaded, performance.now());
    if (!progress) return;
    this.#relay?.note(progress.percent);
    this.#events.onProgress(progress);
    this.#tellParts(part);
  }

  #noteStored(part: number): void {
    this.#stored.add(part);
    this.#note(part, this.#lengthOf(part));
    this.#tellParts(part);
  }

  #tellParts(part: number): void {
    const { partCount: total } = planParts(this.#file.size);
    const length = this.#lengthOf(part);
    const currentPercent = length === 0 ? 100 : Math.floor((100 * (this.#sent.get(part) ?? 0)) / length);
    this.#events.onParts({ total, completed: this.#stored.size, currentPercent: Math.min(100, currentPercent) });
  }
}

function allParts(sizeBytes: number): number[] {
  return Array.from({ length: planParts(sizeBytes).partCount }, (_, index) => index + 1);
}

function missingParts(error: unknown): number[] | null {
  if (!(error instanceof ApiError) || error.body.code !== "UPLOAD_INCOMPLETE") return null;
  const { missing } = error.body;
  if (!Array.isArray(missing)) return null;
  const parts = missing.filter((part) => typeof part === "number");
  // A file in one piece has no part numbers: all of it is missing.
  return parts.length > 0 ? parts : [1];
}
