import { api, ApiError } from "#app/api.ts";
import type { Expiration } from "#domain/expiry.ts";
import { mimeTypeOf } from "#domain/mime.ts";
import { partRange, planParts } from "#domain/parts.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { CompleteUploadAnswer, RelayMessage, StartUploadAnswer } from "#domain/wire.ts";
import { LiveSocket } from "./live-socket.ts";
import { PartUrls } from "./part-urls.ts";
import { ProgressMeter, type Progress } from "./progress.ts";
import { put, PutError } from "./put.ts";
import { RECEIPT_INTERVAL_MS, ReceiptBook } from "./receipts.ts";
import { retrying } from "./retry.ts";

/** Parts in flight at once; no more of the file than these is ever held (design, One picture). */
const CONCURRENCY = 4;
/** Watchers are told twice a second. */
const RELAY_INTERVAL_MS = 500;
/** An upload that is over sooner needs no socket. */
const SOCKET_DELAY_MS = SECOND_MS;
const PART_CONTENT_TYPE = "application/octet-stream";

export interface UploadOptions {
  expiration: Expiration;
  expirationChosen: boolean;
}

export interface UploadEvents {
  /** The link exists, from the first byte. */
  onStarted(start: StartUploadAnswer): void;
  onProgress(progress: Progress): void;
  /** Everything is sent; the server is putting it together. */
  onFinishing(): void;
}

/**
 * One file on its way to storage: parts go up in parallel, each is retried, receipts and progress go over the socket.
 * Knows nothing of React.
 */
export class Upload {
  readonly #file: File;
  readonly #options: UploadOptions;
  readonly #events: UploadEvents;
  readonly #abort = new AbortController();
  readonly #receipts = new ReceiptBook();
  readonly #meter: ProgressMeter;
  /** Bytes sent of each part that has begun. */
  readonly #sent = new Map<number, number>();
  readonly #timers: ReturnType<typeof setInterval>[] = [];
  #socket: LiveSocket | null = null;
  #start: StartUploadAnswer | null = null;
  #watchers = 0;
  #percent = 0;
  #relayedPercent = -1;

  constructor(file: File, options: UploadOptions, events: UploadEvents) {
    this.#file = file;
    this.#options = options;
    this.#events = events;
    this.#meter = new ProgressMeter(file.size);
  }

  /**
   * Runs to the end.
   * @returns the finished file's link
   * @throws ApiError when the server refuses, PutError when storage does, DOMException AbortError after `cancel`
   */
  async run(): Promise<CompleteUploadAnswer> {
    try {
      return await this.#run();
    } catch (error) {
      if (this.#start) api.cancelUpload(this.#start.downloadId).catch(() => undefined);
      throw error;
    } finally {
      this.#stop();
    }
  }

  /** Stops at once, and frees what was reserved. */
  cancel(): void {
    this.#abort.abort(new DOMException("Upload aborted", "AbortError"));
  }

  async #run(): Promise<CompleteUploadAnswer> {
    const { signal } = this.#abort;
    const { name, type, size } = this.#file;
    const request = { filename: name, fileType: mimeTypeOf(name, type), fileSize: size, ...this.#options };
    const start = await retrying(() => api.startUpload(request, signal), isPassing, signal);
    this.#start = start;
    this.#events.onStarted(start);
    this.#timers.push(
      setTimeout(() => {
        this.#openSocket(start);
      }, SOCKET_DELAY_MS),
    );
    const urls = new PartUrls(start.downloadId, planParts(size).partCount, this.#receipts, signal);
    urls.add(1, start.presignedUrl);
    await this.#sendParts(start, urls);
    this.#events.onFinishing();
    return await retrying(() => this.#complete(start, urls), isPassing, signal);
  }

  async #complete(start: StartUploadAnswer, urls: PartUrls): Promise<CompleteUploadAnswer> {
    await urls.deliverReceipts();
    const receipts = this.#receipts.unacknowledged(Infinity);
    return api.completeUpload({ downloadId: start.downloadId, receipts }, this.#abort.signal);
  }

  async #sendParts(start: StartUploadAnswer, urls: PartUrls): Promise<void> {
    const { partCount } = planParts(this.#file.size);
    let next = 1;
    const worker = async () => {
      while (next <= partCount) {
        const part = next;
        next += 1;
        await this.#sendPart(start, part, urls);
      }
    };
    const workers = Array.from({ length: Math.min(CONCURRENCY, partCount) }, worker);
    try {
      await Promise.all(workers);
    } catch (error) {
      this.cancel();
      await Promise.allSettled(workers);
      throw error;
    }
  }

  async #sendPart(start: StartUploadAnswer, part: number, urls: PartUrls): Promise<void> {
    const { signal } = this.#abort;
    const { start: from, end } = partRange(this.#file.size, part);
    const send = async () => {
      const url = await urls.get(part);
      const etag = await put(url, this.#file.slice(from, end), {
        contentType: start.multipart ? PART_CONTENT_TYPE : start.fileData.contentType,
        signal,
        onProgress: (sentBytes) => {
          this.#note(part, sentBytes);
        },
      });
      this.#note(part, end - from);
      if (start.multipart) this.#receipts.add({ part, etag });
    };
    await retrying(
      send,
      (error) => {
        this.#note(part, 0);
        if (error instanceof PutError && error.status === 403) urls.drop(part);
        return isPassing(error);
      },
      signal,
    );
  }

  #note(part: number, sentBytes: number): void {
    this.#sent.set(part, sentBytes);
    let loaded = 0;
    for (const bytes of this.#sent.values()) loaded += bytes;
    const progress = this.#meter.update(loaded, performance.now());
    if (!progress) return;
    this.#percent = progress.percent;
    this.#events.onProgress(progress);
  }

  #openSocket(start: StartUploadAnswer): void {
    this.#socket = new LiveSocket(start.downloadId, {
      onOpen: () => {
        this.#receipts.resendAll();
      },
      onMessage: (message) => {
        this.#hear(message);
      },
    });
    this.#timers.push(
      setInterval(() => {
        this.#sendReceipts();
      }, RECEIPT_INTERVAL_MS),
      setInterval(() => {
        this.#relayProgress(start);
      }, RELAY_INTERVAL_MS),
    );
  }

  #hear(message: RelayMessage): void {
    if (message.type === "received") this.#receipts.acknowledge(message.parts);
    if (message.type === "watchers") {
      this.#watchers = message.count;
      this.#relayedPercent = -1;
    }
  }

  #sendReceipts(): void {
    if (!this.#socket?.isOpen) return;
    const receipts = this.#receipts.takeUnsent();
    if (receipts.length > 0) this.#socket.send({ type: "receipts", receipts });
  }

  #relayProgress({ uploadId }: StartUploadAnswer): void {
    if (this.#watchers === 0 || this.#percent === this.#relayedPercent) return;
    this.#relayedPercent = this.#percent;
    this.#socket?.send({
      type: "upload_progress",
      uploadId,
      filename: this.#file.name,
      progress: this.#percent,
      statusMessage: this.#percent === 100 ? "Finishing" : "Uploading",
    });
  }

  #stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#socket?.close();
  }
}

/** Whether trying again may help: nothing answered, the server or storage is in trouble, or a URL has run out. */
function isPassing(error: unknown): boolean {
  if (error instanceof PutError) return error.status === 0 || error.status === 403 || error.status >= 500;
  if (error instanceof ApiError) return error.status >= 500 || error.status === 429;
  return error instanceof TypeError;
}
