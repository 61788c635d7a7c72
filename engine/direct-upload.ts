import {
  PART_CONTENT_TYPE,
  partLength,
  partRange,
  type PartPlan,
  MAX_COMPLETED_PARTS_PER_CALL,
} from "#domain/parts.ts";
import {
  proxiedPart,
  completedPart,
  serverMessage,
  type CompleteUploadAnswer,
  type ServerMessage,
  type StartUploadAnswer,
  type UploadProgress,
} from "#domain/wire.ts";
import { ApiError } from "./api-error.ts";
import type { Calls } from "./calls.ts";
import { Concurrency, CONNECTIONS_TO_A_HOST, StaggeredBegin } from "./concurrency.ts";
import { UploadError } from "./errors.ts";
import { PartSender } from "./part-sender.ts";
import { pictureOf, type PictureSender } from "./pictures.ts";
import type { DirectPorts } from "./ports.ts";
import { ProgressReporter } from "./progress.ts";
import { CompletedPartQueue, SenderSocket, type UploadEnd } from "./sender-socket.ts";
import { UploadRecorder } from "./upload-recorder.ts";
import { fileChanged, openSource, sentBytesOf } from "./upload-source.ts";
import {
  END_FIELDS,
  MAX_RETRIES,
  NO_URL,
  NOT_COMPLETED,
  requireAnswer,
  START_FIELDS,
  warnOfRetry,
  withProblem,
} from "./upload-step.ts";
import { endOf, type SentRange, type UploadEvents, type UploadOptions, type UploadSource } from "./upload-types.ts";

/** Uploads a file to storage in parallel parts. Resumes an interrupted upload of the same file. */
export class DirectUpload {
  readonly #ports: DirectPorts;
  readonly #file: File;
  readonly #options: UploadOptions;
  readonly #events: UploadEvents;
  readonly #abort = new AbortController();
  readonly #receipts = new CompletedPartQueue();
  readonly #concurrency = new Concurrency(CONNECTIONS_TO_A_HOST);
  readonly #progress: ProgressReporter;
  readonly #sentBytes = new Map<number, number>();
  /** The CRC-32 of each plain part that was read. */
  readonly #sums = new Map<number, string>();
  readonly #storedParts = new Set<number>();
  readonly #sizeBytes: number;
  #source: UploadSource | null = null;
  /** The part size from the server's answer: a resumed upload keeps the part size of its start. */
  #parts: PartPlan;
  #loadedBytes = 0;
  /** Resolved when bytes move next. Null while nobody waits for moving bytes. */
  #moved: PromiseWithResolvers<void> | null = null;
  /** The number of the part that progressed last. */
  #currentPart = 1;
  #percent = 0;
  #socket: SenderSocket<ServerMessage> | null = null;
  #start: StartUploadAnswer | null = null;
  #urls: PartUrls | null = null;
  #isFinishing = false;
  #isCancelled = false;
  #endedElsewhere: UploadEnd | null = null;
  readonly #record = new UploadRecorder(performance.now());
  readonly #pictures: PictureSender;

  constructor(ports: DirectPorts, file: File, options: UploadOptions, events: UploadEvents) {
    this.#ports = ports;
    this.#file = file;
    this.#sizeBytes = sentBytesOf(file, options);
    this.#parts = inOnePart(this.#sizeBytes);
    this.#options = options;
    this.#events = events;
    this.#pictures = pictureOf(ports, file, options, events);
    this.#progress = new ProgressReporter(this.#sizeBytes, (progress) => {
      this.#percent = progress.percent;
      events.onProgress(progress);
      this.#reportParts();
    });
  }

  /**
   * After an error the server keeps the stored parts for a new DirectUpload of the same file.
   * @throws ApiError, UploadError, DOMException AbortError after `cancel`
   */
  async run(): Promise<CompleteUploadAnswer> {
    try {
      return await this.#run();
    } catch (error) {
      this.#pictures.stop();
      if (this.#endedElsewhere === null || this.#start === null) {
        if (!this.#isCancelled) this.#record.noteFailure(this.#ports.calls, this.#start);
        throw error;
      }
      return await this.#resultElsewhere(this.#start, this.#endedElsewhere);
    } finally {
      this.#socket?.close();
      this.#progress.stop();
      this.#abort.abort();
    }
  }

  /** Stops, deletes the stored parts, and releases the reserved quota. */
  cancel(): void {
    this.#isCancelled = true;
    this.#abort.abort();
    this.#pictures.stop();
    this.#source?.forget();
    if (!this.#start) return;
    const summary = this.#record.summary(performance.now());
    // Nobody waits for the answer.
    this.#ports.calls.cancelUpload(this.#start.downloadId, summary).catch(() => undefined);
  }

  async #run(): Promise<CompleteUploadAnswer> {
    const { signal } = this.#abort;
    const { calls, live } = this.#ports;
    const source = await openSource(this.#ports, this.#file, this.#options, signal);
    this.#source = source;
    const described = await source.describe();
    const request = { ...described, fileSize: this.#sizeBytes, ...endOf(this.#options) };
    const ask = () => calls.startUpload(request);
    const start = await requireAnswer(this.#ports, "start", ask, START_FIELDS, NO_URL, signal);
    this.#start = start;
    this.#parts = start.multipart ?? inOnePart(this.#sizeBytes);
    // The person may have cancelled before the server answered the start.
    if (signal.aborted) this.cancel();
    signal.throwIfAborted();
    this.#events.onStarted({ ...start, shareUrl: source.begin(start) });
    this.#socket = new SenderSocket(start.downloadId, {
      live,
      messages: serverMessage,
      describeProgress: () => describeProgress(start, described.filename, this.#percent),
      receipts: this.#receipts,
      onEnded: (status) => {
        // The answer to our own completion says how the upload ended.
        if (this.#isFinishing) return;
        this.#endedElsewhere = status;
        this.#abort.abort();
      },
    });
    this.#pictures.begin(start.downloadId, source.keys);
    source.watch(allParts(this.#parts).map((part) => this.#rangeOf(part)));

    const received = new Set(start.received);
    for (const part of received) this.#recordStored(part);
    this.#record.begin(performance.now());
    const partsToSend = new Set(allParts(this.#parts).filter((part) => !received.has(part)));
    const { downloadId } = start;
    const urls = new PartUrls({ calls, downloadId, partsToSend, receipts: this.#receipts, signal }, start.urls);
    this.#urls = urls;
    const sender = new PartSender<number>(this.#ports, {
      urls,
      proxyUrl: (part) => calls.partAddress(downloadId, part, this.#sums.get(part)),
      proxyAnswer: calls.namesUploadOfPart ? proxiedPart : completedPart,
      describe: (part) => `part ${part} of ${this.#parts.partCount}`,
      signal,
      contentType: start.multipart ? PART_CONTENT_TYPE : start.fileData.contentType,
      onTransport: (transport) => this.#events.onTransport(transport),
      onSent: (transport) => this.#record.noteSent(transport),
      onFailure: (cause) => {
        this.#record.noteResend(cause);
        // A stalled connection beside others that move does not mean that the line is overloaded.
        if (cause !== "stalled") this.#concurrency.recordFailure(performance.now());
      },
    });
    let parts = [...partsToSend];
    do {
      await this.#sendParts(parts, sender);
      this.#events.onFinishing();
      parts = await source.findChanged();
      for (const part of parts) await this.#requireOpen(urls, part);
    } while (parts.length > 0);
    this.#isFinishing = true;
    const finished = await this.#complete(start, urls, sender, await source.settle());
    this.#pictures.finishUpload();
    return source.nameFinished(finished);
  }

  /**
   * Ends the upload if a changed part can be read already, so that it cannot be sent again. @throws UploadError
   * `fileChanged`
   */
  async #requireOpen(urls: PartUrls, part: number): Promise<void> {
    if ((await urls.get(part)) !== null || !this.#source || !this.#start) return;
    const { downloadId } = this.#start;
    const { crc32, mark } = await this.#source.read(this.#rangeOf(part));
    const { calls } = this.#ports;
    // Whoever follows the upload hears from the server that the file has changed.
    const receipts = [{ part, etag: "changed", crc32, mark }];
    await calls.signParts({ downloadId, parts: [], receipts }, this.#abort.signal).then(
      () => calls.cancelUpload(downloadId),
      () => undefined,
    );
    this.#source.forget();
    throw fileChanged();
  }

  async #resultElsewhere({ downloadId }: StartUploadAnswer, status: UploadEnd): Promise<CompleteUploadAnswer> {
    if (status === "ready") {
      const { signal } = new AbortController();
      const finished = await this.#ports.calls.completeUpload({ downloadId, receipts: [] }, signal);
      return this.#source?.nameFinished(finished) ?? finished;
    }
    this.#source?.forget();
    // The server ends an upload whose sender has other bytes for a part that can be read already.
    if (status === "failed" && this.#urls?.hasClosed) throw fileChanged();
    throw new UploadError({ code: "discardedElsewhere" });
  }

  /** Completes the upload. Sends parts again that storage lacks. */
  async #complete(
    start: StartUploadAnswer,
    urls: PartUrls,
    sender: PartSender<number>,
    sums: { sha256: string; crc32: string } | null,
  ): Promise<CompleteUploadAnswer> {
    const { signal } = this.#abort;
    const complete = async () => {
      await urls.deliverReceipts();
      const receipts = this.#receipts.unacknowledged(Infinity);
      return this.#ports.calls.completeUpload(
        {
          downloadId: start.downloadId,
          receipts,
          ...sums,
          summary: this.#record.summary(performance.now()),
        },
        signal,
      );
    };
    for (let retry = 0; ; retry += 1) {
      try {
        return await requireAnswer(this.#ports, "completion", complete, END_FIELDS, NOT_COMPLETED, signal);
      } catch (error) {
        const missing = missingParts(error);
        if (signal.aborted || missing === null || retry >= MAX_RETRIES) throw error;
        const step = `completion without ${missing.length} of ${this.#parts.partCount} parts`;
        warnOfRetry(this.#ports, step, retry + 1, error, 0);
        await this.#sendParts(missing, sender);
      }
    }
  }

  /** Sends parts in parallel, up to `Concurrency.limit`. The first error aborts the others. */
  async #sendParts(parts: number[], sender: PartSender<number>): Promise<void> {
    const waiting = [...parts];
    const active = new Set<Promise<void>>();
    const begin = new StaggeredBegin(this.#parts.partSizeBytes, this.#concurrency.limit, this.#loadedBytes);
    while (waiting.length > 0 || active.size > 0) {
      while (active.size < this.#concurrency.limit && (active.size === 0 || begin.allows(this.#loadedBytes))) {
        const part = waiting.shift();
        if (part === undefined) break;
        begin.count();
        const sending: Promise<void> = this.#sendPart(part, sender).finally(() => active.delete(sending));
        active.add(sending);
      }
      try {
        await Promise.race(begin.isOver ? active : [...active, this.#nextMove()]);
      } catch (error) {
        this.#abort.abort();
        await Promise.allSettled(active);
        throw error;
      }
    }
  }

  async #sendPart(part: number, sender: PartSender<number>): Promise<void> {
    const { signal } = this.#abort;
    const range = this.#rangeOf(part);
    const onProgress = (sentBytes: number) => this.#updateProgress(part, sentBytes);
    if (!this.#source) throw new TypeError("the upload has not begun");
    const { body, crc32, mark } = await this.#source.read(range);
    if (crc32 !== undefined) this.#sums.set(part, crc32);
    signal.throwIfAborted();
    const etag = await withProblem(NO_URL, () => sender.send({ part, body, onProgress }));
    // Storage may not take the part again: its multipart upload may be completed.
    this.#urls?.noteSent(part);
    this.#recordStored(part);
    this.#concurrency.recordSuccess(range.end - range.start, performance.now());
    if (this.#start?.multipart) this.#receipts.add({ part, etag, crc32, mark });
  }

  /** Resolves when bytes have moved. */
  #nextMove(): Promise<void> {
    this.#moved ??= Promise.withResolvers();
    return this.#moved.promise;
  }

  #rangeOf(part: number): SentRange {
    return { part, ...partRange(this.#sizeBytes, part, this.#parts.partSizeBytes) };
  }

  #lengthOf(part: number): number {
    return partLength(this.#sizeBytes, part, this.#parts.partSizeBytes);
  }

  #updateProgress(part: number, sentBytes: number): void {
    this.#sentBytes.set(part, sentBytes);
    this.#currentPart = part;
    let loadedBytes = 0;
    for (const bytes of this.#sentBytes.values()) loadedBytes += bytes;
    this.#loadedBytes = loadedBytes;
    if (loadedBytes > 0) this.#source?.noteMoved();
    this.#moved?.resolve();
    this.#moved = null;
    this.#record.noteProgress(loadedBytes, performance.now());
    this.#progress.update(loadedBytes);
  }

  #recordStored(part: number): void {
    this.#storedParts.add(part);
    this.#updateProgress(part, this.#lengthOf(part));
    this.#reportParts();
  }

  #reportParts(): void {
    const part = this.#currentPart;
    const { partCount: total } = this.#parts;
    const lengthBytes = this.#lengthOf(part);
    const sentBytes = this.#sentBytes.get(part) ?? 0;
    const currentPercent = lengthBytes === 0 ? 100 : Math.min(100, Math.floor((100 * sentBytes) / lengthBytes));
    this.#events.onParts({ total, completed: this.#storedParts.size, currentPercent });
  }
}

/** The progress that watchers of the link see. @param progress percent of the whole file */
export function describeProgress(
  { uploadId }: Pick<StartUploadAnswer, "uploadId">,
  filename: string,
  progress: number,
): UploadProgress {
  const statusMessage = progress === 100 ? "Finishing" : "Uploading";
  return { type: "upload_progress", uploadId, filename, progress, statusMessage };
}

function inOnePart(sizeBytes: number): PartPlan {
  return { partSizeBytes: sizeBytes, partCount: 1 };
}

function allParts({ partCount }: PartPlan): number[] {
  return Array.from({ length: partCount }, (_, index) => index + 1);
}

/** @returns the parts that the server reports as missing; null for any other error */
function missingParts(error: unknown): number[] | null {
  if (!(error instanceof ApiError) || error.body.code !== "UPLOAD_INCOMPLETE") return null;
  const { missing } = error.body;
  if (!Array.isArray(missing)) return null;
  const parts = missing.filter((part) => typeof part === "number");
  // A file without a multipart upload has no part numbers: the whole file is missing.
  return parts.length > 0 ? parts : [1];
}

interface PartUrlsOptions {
  calls: Pick<Calls, "signParts">;
  downloadId: string;
  /** The parts whose URLs are signed in advance. */
  partsToSend: ReadonlySet<number>;
  receipts: CompletedPartQueue;
  signal: AbortSignal;
}

/** How many parts one call signs, and with how few left the next call is made. */
const SIGNED_AT_ONCE = 24;
const SIGNED_AHEAD = 12;

/** Presigned part URLs, signed in batches before they are needed. */
class PartUrls {
  readonly #options: PartUrlsOptions;
  readonly #urls: Map<number, string>;
  /** Parts that storage does not take any more, because they can be read already (decision 055). */
  readonly #closed = new Set<number>();
  readonly #sent = new Set<number>();
  #signing: Promise<void> | null = null;

  /** @param signed the URLs from the answer to the start */
  constructor(options: PartUrlsOptions, signed: StartUploadAnswer["urls"]) {
    this.#options = options;
    this.#urls = new Map(signed.map(({ part, url }) => [part, url]));
  }

  /** Concurrent calls share one API call, which also signs the parts that follow. @returns null for a closed part */
  async get(part: number): Promise<string | null> {
    for (;;) {
      const url = this.#urls.get(part);
      const ahead = this.#unsignedAfter(part);
      if (url !== undefined) {
        // The next call for a URL meets the error of a call that fails here.
        if (ahead.length > 0 && this.#countAfter(part) < SIGNED_AHEAD) this.#signOnce(ahead).catch(() => undefined);
        return url;
      }
      if (this.#closed.has(part)) return null;
      await this.#signOnce([part, ...ahead]);
    }
  }

  /** Whether the sender has sent a part that can be read already. */
  get hasClosed(): boolean {
    return this.#closed.size > 0;
  }

  delete(part: number): void {
    this.#urls.delete(part);
  }

  /** Forgets the URL of a part that storage has. */
  noteSent(part: number): void {
    this.#urls.delete(part);
    this.#sent.add(part);
  }

  clear(): void {
    this.#urls.clear();
  }

  /** Reports completed parts until the remaining ones fit into one more API call. */
  async deliverReceipts(): Promise<void> {
    while (this.#options.receipts.size > MAX_COMPLETED_PARTS_PER_CALL) await this.#sign([]);
  }

  /** In the order of the parts. */
  #unsignedAfter(part: number): number[] {
    return [...this.#options.partsToSend]
      .filter((other) => other > part && !this.#urls.has(other) && !this.#closed.has(other) && !this.#sent.has(other))
      .sort((a, b) => a - b);
  }

  #countAfter(part: number): number {
    return [...this.#urls.keys()].filter((other) => other > part).length;
  }

  #signOnce(parts: number[]): Promise<void> {
    this.#signing ??= this.#sign(parts.slice(0, SIGNED_AT_ONCE)).finally(() => {
      this.#signing = null;
    });
    return this.#signing;
  }

  async #sign(parts: number[]): Promise<void> {
    const { calls, downloadId, receipts: queue, signal } = this.#options;
    const receipts = queue.unacknowledged(MAX_COMPLETED_PARTS_PER_CALL);
    const answer = await calls.signParts({ downloadId, parts, receipts }, signal);
    queue.acknowledge(answer.received);
    for (const { part, url } of answer.urls) this.#urls.set(part, url);
    const received = new Set(answer.received);
    for (const part of parts) if (received.has(part) && !this.#urls.has(part)) this.#closed.add(part);
  }
}
