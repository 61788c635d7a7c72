import { SECOND_MS } from "#domain/units.ts";
import type { ServerMessage, StartUploadAnswer } from "#domain/wire.ts";
import type { Live } from "./ports.ts";
import { RECEIPT_INTERVAL_MS, type ReceiptQueue } from "./receipt-queue.ts";
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
    this.#timers = [
      setTimeout(() => {
        this.#open();
      }, SOCKET_DELAY_MS),
    ];
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
      onOpen: () => {
        this.#receipts.resendAll();
      },
      onMessage: (message) => {
        this.#handleMessage(message);
      },
    });
    this.#timers.push(
      setInterval(() => {
        this.#sendReceipts();
      }, RECEIPT_INTERVAL_MS),
      setInterval(() => {
        this.#sendProgress();
      }, PROGRESS_MESSAGE_INTERVAL_MS),
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
