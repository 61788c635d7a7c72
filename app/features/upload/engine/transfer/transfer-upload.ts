import { api } from "#app/lib/api.ts";
import { fingerprintOf } from "#domain/transfers/fingerprint.ts";
import { MAX_OPENED_AT_START } from "#domain/transfers/limits.ts";
import type { FinishTransferAnswer, StartTransferAnswer } from "#domain/wire.ts";
import { UploadError } from "../errors.ts";
import { MAX_RETRIES, retryUploadStep } from "../retry.ts";
import type { UploadEnd } from "../sender-socket.ts";
import { isRetryableCall } from "../upload-step.ts";
import { warnOfRetry } from "../warn-of-retry.ts";
import { AnnouncedList } from "./announced-list.ts";
import { BatchQueue } from "./batch-queue.ts";
import { BatchSender } from "./batch-sender.ts";
import { EntryChanges } from "./entry-changes.ts";
import { EntrySources } from "./entry-sources.ts";
import { FileReaderThread } from "./file-reader.ts";
import { ObjectSender } from "./object-sender.ts";
import { planResume } from "./resume-transfer.ts";
import { codeOf, finishTransfer, listEntries, removeEntry, startTransfer, transferApi } from "./transfer-api.ts";
import { TransferEntries } from "./transfer-entries.ts";
import type { TransferList } from "./transfer-list.ts";
import { TransferProgress } from "./transfer-progress.ts";
import { TransferSenderSocket } from "./transfer-sender-socket.ts";
import type { TransferEvents, TransferOptions } from "./transfer-types.ts";

export type { TransferEvents, TransferOptions } from "./transfer-types.ts";

/** Sends many files behind one link. Resumes an unfinished transfer of the same list. */
export class TransferUpload {
  readonly entries: TransferEntries;
  readonly #chosen: TransferList;
  readonly #options: TransferOptions;
  readonly #events: TransferEvents;
  readonly #fingerprint: string | undefined;
  readonly #abort = new AbortController();
  readonly #sources = new EntrySources();
  readonly #queue = new BatchQueue((n) => this.#sources.announcement(n));
  readonly #list: AnnouncedList;
  readonly #sender: ObjectSender;
  readonly #progress: TransferProgress;
  readonly #changes: EntryChanges;
  readonly #batches = Promise.withResolvers<BatchSender>();
  /** Settled when everything is sent; null while nobody waits for it. */
  #isSent: PromiseWithResolvers<undefined> | null = null;
  #reader: Promise<FileReaderThread> | null = null;
  #start: StartTransferAnswer | null = null;
  #sendsBatches: BatchSender | null = null;
  #socket: TransferSenderSocket | null = null;
  #failure: { error: unknown } | null = null;
  #endedElsewhere: UploadEnd | null = null;

  /** @param resume the fingerprint of the unfinished transfer to continue, whatever the list's own */
  constructor(list: TransferList, options: TransferOptions, events: TransferEvents, resume?: { fingerprint: string }) {
    this.#chosen = list;
    this.#options = options;
    this.#events = events;
    this.#fingerprint = resume?.fingerprint;
    const onChange = () => {
      this.#update();
    };
    this.entries = new TransferEntries((object) => this.#sender.sentBytesOf(object));
    this.#list = new AnnouncedList(this.entries, this.#sources, this.#queue);
    this.#sender = new ObjectSender({
      entries: this.entries,
      sources: this.#sources,
      queue: this.#queue,
      read: async (request) => (await this.#startReader()).read(request),
      downloadId: () => this.#start?.downloadId ?? "",
      signal: this.#abort.signal,
      onChange,
      onTransport: (transport) => {
        events.onTransport(transport);
      },
      onError: (error) => {
        this.#fail(error);
      },
    });
    this.#list.append(list.entries);
    this.#progress = new TransferProgress({
      entries: this.entries,
      moving: () => this.#sender.moving(),
      onProgress: (progress) => {
        events.onProgress(progress);
      },
      onEntries: () => {
        events.onEntries();
      },
    });
    this.#changes = new EntryChanges({
      entries: this.entries,
      sources: this.#sources,
      list: this.#list,
      queue: this.#queue,
      sender: this.#sender,
      batches: this.#batches.promise,
      onChange,
    });
    this.#batches.promise.catch(() => undefined);
    this.#abort.signal.addEventListener("abort", () => {
      this.#batches.reject(this.#abort.signal.reason);
      this.#isSent?.reject(this.#abort.signal.reason);
    });
  }

  /**
   * Waits while entries are "changed" or "unreadable". After an error the server keeps what has arrived for a new
   * TransferUpload of the same list.
   * @throws ApiError, UploadError, DOMException AbortError after `cancel`
   */
  async run(): Promise<FinishTransferAnswer> {
    try {
      return await this.#run();
    } catch (error) {
      if (this.#endedElsewhere === null || this.#start === null) throw this.#failure ? this.#failure.error : error;
      return await this.#resultElsewhere(this.#start, this.#endedElsewhere);
    } finally {
      this.#abort.abort();
      this.#socket?.close();
      this.#sendsBatches?.stop();
      this.#progress.stop();
      this.#reader?.then(
        (reader) => {
          reader.stop();
        },
        () => undefined,
      );
    }
  }

  /** Stops, deletes what has arrived, and releases the reserved quota. */
  cancel(): void {
    this.#abort.abort();
    if (this.#start) api.cancelUpload(this.#start.downloadId).catch(() => undefined);
  }

  /** @throws ApiError, UploadError; then nothing was added */
  add(list: TransferList): Promise<void> {
    return this.#changes.add(list.entries);
  }

  remove(n: number): void {
    this.#changes.remove(n);
  }

  /**
   * Announces a "changed" or "unreadable" entry anew, under a new number.
   * @param file what the person chose again
   */
  retry(n: number, file?: File): void {
    this.#changes.retry(n, file);
  }

  /** Whether `retry(n)` can read the file itself, without a new choice of the person. */
  canReload(n: number): boolean {
    return this.#sources.get(n)?.reload !== undefined;
  }

  async #run(): Promise<FinishTransferAnswer> {
    const { signal } = this.#abort;
    // Files are read while the server opens the first objects.
    this.#sender.pump();
    const batch = this.#queue.take(MAX_OPENED_AT_START);
    const { totals } = this.#list;
    const start = await startTransfer({ ...this.#options, ...batch, totals }, await this.#findFingerprint(), signal);
    this.#start = start;
    signal.throwIfAborted();
    const { uploadId, downloadId, shareUrl, resumed } = start;
    if (resumed) await this.#continue(start);
    const batches = this.#openBatches(downloadId);
    this.#sendsBatches = batches;
    this.#socket = this.#openSocket(downloadId);
    this.#events.onStarted({ uploadId, downloadId, shareUrl, resumed });
    this.#sender.applyAnswer(batch, start);
    this.#batches.resolve(batches);
    return await this.#finishWhenSent(downloadId, batches);
  }

  /** Null where the browser offers no hashing: such a transfer is not resumed. */
  async #findFingerprint(): Promise<string | null> {
    return this.#fingerprint ?? (await fingerprintOf(this.#chosen.entries).catch(() => null));
  }

  /** Takes over what the server has. The batch of the start does not count then. */
  async #continue(start: StartTransferAnswer): Promise<void> {
    const listed = await listEntries(start.downloadId, this.#abort.signal);
    const { known, added, open, drop } = planResume(listed, start, this.#chosen.entries);
    this.#sender.reset(start.next?.object ?? 0);
    this.#list.restart(known);
    if (added.length > 0) {
      this.#list.append(added);
      this.#queue.setTotals(this.#list.totals);
    }
    for (const { object, numbers, parts } of open) this.#sender.open(object, numbers, parts);
    for (const object of drop) this.#queue.drop(object);
  }

  #openBatches(downloadId: string): BatchSender {
    const { signal } = this.#abort;
    return new BatchSender({
      queue: this.#queue,
      post: (batch) => transferApi.batch(downloadId, batch, signal),
      onAnswer: (batch, answer) => {
        this.#sender.applyAnswer(batch, answer);
        this.#update();
      },
      onError: (error) => {
        this.#fail(error);
      },
      signal,
    });
  }

  #openSocket(downloadId: string): TransferSenderSocket {
    return new TransferSenderSocket(downloadId, {
      describeProgress: () => this.#progress.describe(),
      onStored: (runs) => {
        this.#sender.markStored(runs);
      },
      onEnded: (status) => {
        // The answer to our own finish tells how the transfer ended.
        if (this.#changes.isFinishing) return;
        this.#endedElsewhere = status;
        this.#abort.abort();
      },
    });
  }

  async #finishWhenSent(downloadId: string, batches: BatchSender): Promise<FinishTransferAnswer> {
    for (let retry = 1; ;) {
      await this.#whenSent();
      await batches.sendWhile(() => !this.#queue.isReadyToFinish);
      // An answer may have asked for files once more.
      if (!this.#isEverythingSent()) continue;
      this.#changes.beginFinish();
      this.#events.onFinishing();
      const receipts = this.#queue.takeReceipts();
      try {
        const finished = await finishTransfer(downloadId, receipts, this.#abort.signal);
        return await this.#removeLate(finished);
      } catch (error) {
        if (codeOf(error) !== "UPLOAD_INCOMPLETE" || retry > MAX_RETRIES) throw error;
        warnOfRetry("completion without all files", retry, error, 0);
        retry += 1;
      }
      this.#changes.resume();
      this.#sender.confirmReceipts(receipts);
      this.#sender.sendMissing(await batches.poll());
    }
  }

  /** The server takes no batches any more. */
  async #removeLate(finished: FinishTransferAnswer): Promise<FinishTransferAnswer> {
    const { signal } = this.#abort;
    let answer = finished;
    // More may be removed while these are.
    for (let late = this.#changes.takeLateRemovals(); late.length > 0; late = this.#changes.takeLateRemovals()) {
      for (const n of late) await removeEntry(finished.id, n, signal);
      answer = await finishTransfer(finished.downloadId, [], signal);
    }
    return answer;
  }

  async #whenSent(): Promise<void> {
    if (this.#isEverythingSent()) return;
    this.#abort.signal.throwIfAborted();
    this.#isSent = Promise.withResolvers();
    await this.#isSent.promise;
  }

  #isEverythingSent(): boolean {
    const { entries } = this;
    const isLeft = (["waiting", "changed", "unreadable"] as const).some((state) => entries.count(state) > 0);
    const isAnnounced = this.#queue.announced === entries.length;
    return !isLeft && entries.countIn("sending") === 0 && isAnnounced && !this.#changes.isAdding && entries.present > 0;
  }

  #resultElsewhere({ downloadId }: StartTransferAnswer, status: UploadEnd): Promise<FinishTransferAnswer> {
    if (status === "ready") return finishTransfer(downloadId, [], new AbortController().signal);
    throw new UploadError((t) => t("discardedElsewhere"));
  }

  #startReader(): Promise<FileReaderThread> {
    const { signal } = this.#abort;
    const start = () => FileReaderThread.start(signal);
    this.#reader ??= retryUploadStep("reading thread", start, isRetryableCall, signal);
    return this.#reader;
  }

  #update(): void {
    this.#sendsBatches?.poke();
    this.#progress.update();
    if (this.#isEverythingSent()) this.#isSent?.resolve(undefined);
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    const code = codeOf(error);
    if (code === "UPLOAD_COMPLETING" || code === "UPLOAD_FINISHED") this.#endedElsewhere ??= "ready";
    this.#abort.abort();
  }
}
