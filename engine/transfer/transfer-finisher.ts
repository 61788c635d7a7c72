import type { FinishTransferAnswer } from "#domain/wire.ts";
import type { Ports } from "../ports.ts";
import type { TransferRecorder } from "../upload-recorder.ts";
import { MAX_RETRIES, warnOfRetry } from "../upload-step.ts";
import type { BatchQueue } from "./batch-queue.ts";
import type { BatchSender } from "./batch-sender.ts";
import type { EntryChanges } from "./entry-changes.ts";
import type { ListSource } from "./list-source.ts";
import type { ObjectSender } from "./object-sender.ts";
import { codeOf, finishTransfer, removeEntry } from "./transfer-api.ts";
import type { TransferEntries } from "./transfer-entries.ts";

interface Options {
  ports: Pick<Ports, "calls" | "online" | "warn">;
  entries: TransferEntries;
  queue: BatchQueue;
  sender: ObjectSender;
  changes: EntryChanges;
  source: Pick<ListSource, "sealed">;
  record: TransferRecorder;
  signal: AbortSignal;
  onFinishing(): void;
}

/** Waits until everything is sent, then asks the server to finish the transfer. */
export class TransferFinisher {
  readonly #options: Options;
  /** Resolves when everything is sent; null while nobody waits. */
  #isSent: PromiseWithResolvers<undefined> | null = null;

  constructor(options: Options) {
    this.#options = options;
    const { signal } = options;
    signal.addEventListener("abort", () => this.#isSent?.reject(signal.reason));
  }

  /** Call when something has changed. */
  check(): void {
    if (this.#isEverythingSent()) this.#isSent?.resolve(undefined);
  }

  /** @throws ApiError, UploadError, TypeError, DOMException AbortError */
  async finish(downloadId: string, batches: BatchSender): Promise<FinishTransferAnswer> {
    const { ports, queue, sender, changes, record, signal, onFinishing } = this.#options;
    for (let retry = 1; ;) {
      await this.#whenSent();
      await batches.sendWhile(() => !queue.isReadyToFinish);
      // An answer may have asked for files again.
      if (!this.#isEverythingSent() || (await sender.markChanged())) continue;
      changes.beginFinish();
      onFinishing();
      const unknown = (await this.#options.source.sealed?.finish()) ?? [];
      if (unknown.length > 0) {
        this.#reopen();
        this.#options.entries.movePhases(unknown, ["stored", "sent"], "unreadable");
        continue;
      }
      const receipts = queue.takeReceipts();
      try {
        const finished = await finishTransfer(ports, downloadId, receipts, signal, record);
        return await this.#removeLate(finished);
      } catch (error) {
        if (codeOf(error) !== "UPLOAD_INCOMPLETE" || retry > MAX_RETRIES) throw error;
        warnOfRetry(ports, "completion without all files", retry, error, 0);
        retry += 1;
      }
      this.#reopen();
      sender.confirmReceipts(receipts);
      sender.sendMissing(await batches.poll());
    }
  }

  /** Removes late entries by calls of their own, because the server takes no more batches. */
  async #removeLate(finished: FinishTransferAnswer): Promise<FinishTransferAnswer> {
    const { ports, changes, signal } = this.#options;
    let answer = finished;
    // More entries may be removed during these calls.
    for (let late = changes.takeLateRemovals(); late.length > 0; late = changes.takeLateRemovals()) {
      for (const n of late) await removeEntry(ports, finished.id, n, signal);
      await this.#options.source.sealed?.forgetRemoved();
      answer = await finishTransfer(ports, finished.downloadId, [], signal);
    }
    return answer;
  }

  #reopen(): void {
    this.#options.changes.resume();
    this.#options.source.sealed?.reopen();
  }

  async #whenSent(): Promise<void> {
    if (this.#isEverythingSent()) return;
    this.#options.signal.throwIfAborted();
    this.#isSent = Promise.withResolvers();
    await this.#isSent.promise;
  }

  #isEverythingSent(): boolean {
    const { entries, queue, changes } = this.#options;
    const isLeft = (["waiting", "changed", "unreadable"] as const).some((state) => entries.count(state) > 0);
    if (isLeft || entries.countIn("sending") > 0 || changes.isAnnouncing) return false;
    return queue.announced === entries.length && entries.present > 0;
  }
}
