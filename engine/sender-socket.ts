import { SECOND_MS } from "#domain/units.ts";
import { type ServerMessage, type StartUploadAnswer, RECEIPTS_PER_MESSAGE, type Receipt } from "#domain/wire.ts";
import type { Live } from "./ports.ts";
import { UploadSocket } from "./upload-socket.ts";

const PROGRESS_MESSAGE_INTERVAL_MS = SECOND_MS / 2;
/** Shorter uploads need no socket. */
const SOCKET_DELAY_MS = SECOND_MS;

export type UploadEnd = Extract<ServerMessage, { type: "upload_ended" }>["status"];

/** The sender's socket: sends receipts, and progress while somebody watches. The upload works without it. */
export class SenderSocket {
  readonly #live: Live;
  readonly #uploadId: string;
  readonly #downloadId: string;
  readonly #filename: string;
  readonly #receipts: ReceiptQueue;
  readonly #onEnded: (status: UploadEnd) => void;
  readonly #timers: ReturnType<typeof setTimeout>[];
  #socket: UploadSocket | null = null;
  #watchers = 0;
  #percent = 0;
  #sentPercent = -1;

  /** @param onEnded called when the upload has ended, here or on another device */
  constructor(
    live: Live,
    { uploadId, downloadId }: StartUploadAnswer,
    filename: string,
    receipts: ReceiptQueue,
    onEnded: (status: UploadEnd) => void,
  ) {
    this.#live = live;
    this.#uploadId = uploadId;
    this.#downloadId = downloadId;
    this.#filename = filename;
    this.#receipts = receipts;
    this.#onEnded = onEnded;
    this.#timers = [setTimeout(() => this.#open(), SOCKET_DELAY_MS)];
  }

  setProgress(percent: number): void {
    this.#percent = percent;
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#socket?.close();
  }

  #open(): void {
    this.#socket = new UploadSocket(this.#live, this.#downloadId, {
      onOpen: () => this.#receipts.resendAll(),
      onMessage: (message) => this.#handleMessage(message),
    });
    this.#timers.push(
      setInterval(() => this.#sendReceipts(), RECEIPT_INTERVAL_MS),
      setInterval(() => this.#sendProgress(), PROGRESS_MESSAGE_INTERVAL_MS),
    );
  }

  #handleMessage(message: ServerMessage): void {
    if (message.type === "received") this.#receipts.acknowledge(message.parts);
    if (message.type === "upload_ended") this.#onEnded(message.status);
    if (message.type === "watchers") {
      this.#watchers = message.count;
      this.#sentPercent = -1;
    }
  }

  #sendReceipts(): void {
    if (!this.#socket?.isOpen) return;
    const receipts = this.#receipts.takeUnsent();
    if (receipts.length > 0) this.#socket.send({ type: "receipts", receipts });
  }

  #sendProgress(): void {
    if (this.#watchers === 0 || this.#percent === this.#sentPercent) return;
    this.#sentPercent = this.#percent;
    this.#socket?.send({
      type: "upload_progress",
      uploadId: this.#uploadId,
      filename: this.#filename,
      progress: this.#percent,
      statusMessage: this.#percent === 100 ? "Finishing" : "Uploading",
    });
  }
}

/** Batches receipts into at most four socket messages a second. */
export const RECEIPT_INTERVAL_MS = 250;

/** Receipts of stored parts that the server has not acknowledged yet. */
export class ReceiptQueue {
  readonly #pending = new Map<number, Receipt>();
  readonly #unsent = new Set<number>();

  add(receipt: Receipt): void {
    this.#pending.set(receipt.part, receipt);
    this.#unsent.add(receipt.part);
  }

  acknowledge(parts: Iterable<number>): void {
    for (const part of parts) {
      this.#pending.delete(part);
      this.#unsent.delete(part);
    }
  }

  /** Call after a reconnect: sent messages may have been lost. */
  resendAll(): void {
    for (const part of this.#pending.keys()) this.#unsent.add(part);
  }

  /** Receipts for the next socket message; they stay pending until acknowledged. */
  takeUnsent(): Receipt[] {
    const batch: Receipt[] = [];
    for (const part of this.#unsent) {
      const receipt = this.#pending.get(part);
      if (receipt) batch.push(receipt);
      this.#unsent.delete(part);
      if (batch.length === RECEIPTS_PER_MESSAGE) break;
    }
    return batch;
  }

  unacknowledged(maxCount: number): Receipt[] {
    return [...this.#pending.values()].slice(0, maxCount);
  }

  get size(): number {
    return this.#pending.size;
  }
}
