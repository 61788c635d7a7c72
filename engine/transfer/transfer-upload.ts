import { MAX_OPENED_AT_START } from "#domain/transfers/limits.ts";
import {
  transferMessage,
  type FinishTransferAnswer,
  type PictureInfo,
  type StartTransferAnswer,
  type TransferMessage,
} from "#domain/wire.ts";
import { UploadError } from "../errors.ts";
import { PictureSender } from "../pictures.ts";
import type { TransferPorts } from "../ports.ts";
import type { SealedTransfer } from "../sealing/sealed-transfer.ts";
import { SenderSocket, type UploadEnd } from "../sender-socket.ts";
import { TransferRecorder } from "../upload-recorder.ts";
import type { TransferEvents, TransferOptions } from "../upload-types.ts";
import { AnnouncedList, UnconfirmedRemovals } from "./announced-list.ts";
import { BatchQueue } from "./batch-queue.ts";
import { BatchSender } from "./batch-sender.ts";
import { EntryChanges } from "./entry-changes.ts";
import { PLAIN_FORM, SEALED_FORM, type EntryForm, EntrySources } from "./entry-sources.ts";
import { ListSource } from "./list-source.ts";
import { ObjectSender } from "./object-sender.ts";
import { planResume } from "./resume-transfer.ts";
import { codeOf, finishTransfer, listEntries, startTransfer } from "./transfer-api.ts";
import { TransferEntries } from "./transfer-entries.ts";
import { TransferFinisher } from "./transfer-finisher.ts";
import type { TransferList, TransferListEntry } from "./transfer-list.ts";
import { TransferProgress } from "./transfer-progress.ts";

export type { TransferEvents, TransferOptions } from "../upload-types.ts";

/** Sends many files behind one link. Resumes an unfinished transfer of the same list. */
export class TransferUpload {
  readonly entries: TransferEntries;
  readonly #ports: TransferPorts;
  readonly #chosen: TransferList;
  readonly #events: TransferEvents;
  readonly #abort = new AbortController();
  readonly #form: EntryForm;
  readonly #sources: EntrySources;
  readonly #source: ListSource;
  readonly #queue = new BatchQueue((n) => this.#sources.announcement(n));
  readonly #removals: UnconfirmedRemovals;
  readonly #list: AnnouncedList;
  readonly #sender: ObjectSender;
  readonly #record: TransferRecorder;
  readonly #progress: TransferProgress;
  readonly #changes: EntryChanges;
  readonly #finisher: TransferFinisher;
  readonly #pictures: PictureSender;
  readonly #batches = Promise.withResolvers<BatchSender>();
  /** The pictures that the server has of an unfinished transfer. */
  readonly #storedPictures = new Map<number, PictureInfo>();
  #start: StartTransferAnswer | null = null;
  #sendsBatches: BatchSender | null = null;
  #socket: SenderSocket<TransferMessage> | null = null;
  #failure: { error: unknown } | null = null;
  #isCancelled = false;
  #endedElsewhere: UploadEnd | null = null;

  /** @param resume the fingerprint of the unfinished transfer to continue, whatever the list's own fingerprint */
  constructor(
    ports: TransferPorts,
    list: TransferList,
    options: TransferOptions,
    events: TransferEvents,
    resume?: { fingerprint: string },
  ) {
    this.#ports = ports;
    this.#removals = new UnconfirmedRemovals(ports.removals);
    this.#chosen = list;
    this.#events = events;
    const isSealed = options.sealed ?? false;
    this.#form = isSealed ? SEALED_FORM : PLAIN_FORM;
    this.#sources = new EntrySources(this.#form);
    this.entries = new TransferEntries((object) => this.#sender.sentBytesOf(object), isSealed);
    this.#record = new TransferRecorder(this.entries, performance.now());
    const shared = {
      ports,
      entries: this.entries,
      record: this.#record,
      sources: this.#sources,
      queue: this.#queue,
      removals: this.#removals,
      form: this.#form,
      signal: this.#abort.signal,
      onChange: () => this.#update(),
      onError: (error: unknown) => this.#fail(error),
    };
    const { fingerprint } = resume ?? {};
    this.#source = new ListSource({ ...shared, options, chosen: list.entries, fingerprint });
    this.#list = new AnnouncedList(shared);
    this.#sender = new ObjectSender({
      ...shared,
      read: (request, object) => this.#source.read(request, object),
      downloadId: () => this.#start?.downloadId ?? "",
      onTransport: (transport) => events.onTransport(transport),
    });
    this.#list.append(list.entries);
    this.#progress = new TransferProgress({
      ...shared,
      moving: () => this.#sender.moving(),
      onProgress: (progress) => events.onProgress(progress),
      onEntries: () => events.onEntries(),
    });
    const sending = { ...shared, list: this.#list, sender: this.#sender };
    this.#changes = new EntryChanges({ ...sending, batches: this.#batches.promise });
    this.#finisher = new TransferFinisher({
      ...sending,
      changes: this.#changes,
      source: this.#source,
      onFinishing: () => events.onFinishing(),
    });
    this.#pictures = new PictureSender({
      ports,
      count: () => this.#queue.announced,
      fileOf: (n) => this.#sendable(n),
      uploadBytes: () => this.entries.presentBytes,
      waitsForFiles: () => this.#sender.waitsForFiles,
      onTile: events.onTile?.bind(events),
    });
    this.#batches.promise.catch(() => undefined);
    this.#abort.signal.addEventListener("abort", () => this.#batches.reject(this.#abort.signal.reason));
  }

  /**
   * Waits while entries are "changed" or "unreadable". After an error the server keeps what has arrived for a new
   * TransferUpload of the same list. @throws ApiError, UploadError, DOMException AbortError after `cancel`
   */
  async run(): Promise<FinishTransferAnswer> {
    try {
      return await this.#run();
    } catch (error) {
      this.#pictures.stop();
      if (this.#endedElsewhere === null || this.#start === null) {
        if (!this.#isCancelled) this.#record.noteFailure(this.#ports.calls, this.#start);
        throw this.#failure ? this.#failure.error : error;
      }
      return await this.#resultElsewhere(this.#start, this.#endedElsewhere);
    } finally {
      this.#abort.abort();
      this.#socket?.close();
      this.#sendsBatches?.stop();
      this.#progress.stop();
    }
  }

  /** Stops, deletes what has arrived, and releases the reserved quota. */
  cancel(): void {
    this.#isCancelled = true;
    this.#abort.abort();
    this.#pictures.stop();
    if (!this.#start) return;
    this.#removals.clear();
    this.sealed?.forget();
    const summary = this.#record.summary(performance.now());
    // Nobody waits for the answer.
    this.#ports.calls.cancelUpload(this.#start.downloadId, summary).catch(() => undefined);
  }

  /**
   * Adds files, after the start and after earlier additions.
   * @returns the files that are added or sent again, with their paths in the transfer. Files that the transfer already
   * has are left out
   * @throws ApiError, UploadError; then nothing was added
   */
  async add(list: TransferList): Promise<TransferListEntry[]> {
    this.sealed?.refuseTooMany(list.entries);
    return this.#changes.add(list.entries);
  }

  remove(n: number): void {
    this.#changes.remove(n);
  }

  /**
   * Announces a "changed" or "unreadable" entry anew, under a new number. When the server refuses the file, the entry
   * is "changed" and `entries.reason(n)` is the server's error.
   * @param file what the person chose again
   */
  retry(n: number, file?: File): void {
    this.#changes.retry(n, file);
  }

  /** What only the browser knows of a sealed transfer; null for a plain one, and before the start. */
  get sealed(): SealedTransfer | null {
    return this.#source.sealed;
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
    const totals = this.#list.totalsWith([]);
    const { fingerprint, ...described } = await this.#source.describe();
    const start = await startTransfer(this.#ports, { ...described, ...batch, totals }, fingerprint, signal);
    this.#start = start;
    if (this.#isCancelled) this.cancel();
    signal.throwIfAborted();
    const { uploadId, downloadId, resumed, guards } = start;
    const shareUrl = this.#source.begin(start);
    const added = resumed ? await this.#continue(start) : [];
    if (!resumed) this.#removals.open(uploadId, batch.remove);
    this.#progress.begin();
    const batches = this.#openBatches(downloadId);
    this.#sendsBatches = batches;
    this.#socket = this.#openSocket(downloadId);
    this.#events.onStarted({ uploadId, downloadId, shareUrl, resumed, guards });
    this.#sender.applyAnswer(batch, start);
    this.#update();
    this.#batches.resolve(batches);
    this.#pictures.begin(downloadId, this.sealed?.keys ?? null, this.#storedPictures);
    if (added.length > 0) await this.#changes.add(added);
    const finished = await this.#finisher.finish(downloadId, batches);
    this.#pictures.finishUpload();
    this.#removals.clear();
    return this.#source.nameFinished(finished);
  }

  /**
   * Takes over an unfinished transfer as the server has it. The entries and objects in the call of the start are void.
   * @returns files that the server does not know yet
   */
  async #continue(start: StartTransferAnswer): Promise<TransferListEntry[]> {
    const { entries } = this;
    const all = await listEntries(this.#ports, start.downloadId, this.#abort.signal);
    for (const { n, picture } of all) if (picture) this.#storedPictures.set(n, picture);
    const { listed, received, sameBytes, unnamed } = await this.#source.resume(all, start);
    this.#abort.signal.throwIfAborted();
    // The entries that were removed after the call of the start, or by an earlier try whose removals did not arrive.
    const removedPaths = new Set(entries.listIn("removed").map((n) => entries.path(n)));
    const left = new Set([...this.#removals.open(start.uploadId, entries.listIn("removed")), ...unnamed]);
    const wanted = this.#chosen.entries.filter(({ path }) => !removedPaths.has(path));
    const { stored } = start;
    const { known, added, open, drop } = planResume(listed, { stored, received }, wanted, sameBytes, this.#form);
    this.#sender.reset(start.next?.object ?? 0);
    this.#list.restart(known, start.announcedBytes);
    for (const { object, numbers, parts } of open) this.#sender.open(object, numbers, parts);
    for (const object of drop) this.#queue.drop(object);
    for (const n of known.keys()) if (left.has(n) || removedPaths.has(entries.path(n))) this.#changes.remove(n);
    return added;
  }

  /** The file of an entry that is being sent or was sent. */
  #sendable(n: number): File | null {
    const isSendable = !this.entries.isIn(n, "removed", "changed", "unreadable");
    return isSendable ? (this.#sources.get(n)?.file ?? null) : null;
  }

  #openBatches(downloadId: string): BatchSender {
    const { signal } = this.#abort;
    return new BatchSender({
      ports: this.#ports,
      queue: this.#queue,
      post: (batch) => this.#ports.calls.sendBatch(downloadId, batch, signal),
      onAnswer: (batch, answer) => {
        this.#removals.confirm(batch.remove);
        this.#sender.applyAnswer(batch, answer);
        this.#update();
      },
      onError: (error) => this.#fail(error),
      signal,
    });
  }

  #openSocket(downloadId: string): SenderSocket<TransferMessage> {
    return new SenderSocket(downloadId, {
      live: this.#ports.live,
      messages: transferMessage,
      describeProgress: () => ({ type: "transfer_progress", ...this.#progress.describe() }),
      onMessage: (message) => {
        if (message.type === "transfer_state") this.#sender.markStored(message.stored);
        if (message.type === "entries_stored") this.#sender.markStored(message.runs);
      },
      onEnded: (status) => {
        // The answer to our own finish tells how the transfer ended.
        if (this.#changes.isFinishing) return;
        this.#endedElsewhere = status;
        this.#abort.abort();
      },
    });
  }

  async #resultElsewhere({ downloadId }: StartTransferAnswer, status: UploadEnd): Promise<FinishTransferAnswer> {
    this.#removals.clear();
    if (status === "ready") {
      const { signal } = new AbortController();
      return this.#source.nameFinished(await finishTransfer(this.#ports, downloadId, [], signal));
    }
    this.sealed?.forget();
    throw new UploadError({ code: "discardedElsewhere" });
  }

  #update(): void {
    this.#sendsBatches?.poke();
    this.#pictures.update();
    this.sealed?.update();
    this.#progress.update();
    this.#finisher.check();
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    const code = codeOf(error);
    if (code === "UPLOAD_COMPLETING" || code === "UPLOAD_FINISHED") this.#endedElsewhere ??= "ready";
    this.#abort.abort();
  }
}
