import type * as z from "zod/mini";
import { SECOND_MS } from "#domain/units.ts";
import {
  type ServerMessage,
  COMPLETED_PARTS_PER_MESSAGE,
  type CompletedPart,
  type SenderMessage,
  type TransferMessage,
  type TransferProgress,
  type UploadProgress,
} from "#domain/wire.ts";
import { LiveSocket } from "./live-socket.ts";
import type { Live } from "./ports.ts";

const PROGRESS_MESSAGE_INTERVAL_MS = SECOND_MS / 2;
/** The time between two messages with completed parts: at most four a second. */
export const RECEIPT_INTERVAL_MS = SECOND_MS / 4;
/** The wait before the socket opens. Uploads that are shorter need no socket. */
const SOCKET_DELAY_MS = SECOND_MS;

type Received = ServerMessage | TransferMessage;
export type UploadEnd = Extract<Received, { type: "upload_ended" }>["status"];

interface Options<Message extends Received> {
  /** Null where the upload has no socket. */
  live: Live | null;
  messages: z.ZodMiniType<Message>;
  /** The progress that watchers of the link see. */
  describeProgress(): UploadProgress | TransferProgress;
  /** The completed parts of a single file, sent whether or not anybody watches. Absent for a transfer. */
  receipts?: CompletedPartQueue;
  onMessage?(message: Message): void;
  /** Called when the upload has ended, here or on another device. */
  onEnded(status: UploadEnd): void;
}

/**
 * The sender's socket, which reports completed parts, and progress while somebody watches. The upload works without
 * this socket, too.
 */
export class SenderSocket<Message extends Received> {
  readonly #options: Options<Message>;
  readonly #timers: ReturnType<typeof setTimeout>[] = [];
  #socket: LiveSocket<Message, SenderMessage | TransferProgress> | null = null;
  #watchers = 0;
  #sent = "";

  constructor(downloadId: string, options: Options<Message>) {
    this.#options = options;
    const { live } = options;
    if (live) this.#timers.push(setTimeout(() => this.#open(live, downloadId), SOCKET_DELAY_MS));
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#socket?.close();
  }

  #open(live: Live, downloadId: string): void {
    const { messages, receipts } = this.#options;
    this.#socket = new LiveSocket(live, downloadId, messages, {
      onOpen: () => receipts?.resendAll(),
      onMessage: (message) => {
        this.#handleMessage(message);
        this.#options.onMessage?.(message);
      },
    });
    if (receipts) this.#timers.push(setInterval(() => this.#sendReceipts(receipts), RECEIPT_INTERVAL_MS));
    this.#timers.push(setInterval(() => this.#sendProgress(), PROGRESS_MESSAGE_INTERVAL_MS));
  }

  #handleMessage(message: Received): void {
    if (message.type === "received") this.#options.receipts?.acknowledge(message.parts);
    if (message.type === "upload_ended") this.#options.onEnded(message.status);
    if (message.type === "watchers") {
      this.#watchers = message.count;
      this.#sent = "";
    }
  }

  #sendReceipts(queue: CompletedPartQueue): void {
    if (!this.#socket?.isOpen) return;
    const receipts = queue.takeUnsent();
    if (receipts.length > 0) this.#socket.send({ type: "receipts", receipts });
  }

  #sendProgress(): void {
    if (this.#watchers === 0) return;
    const progress = this.#options.describeProgress();
    const said = JSON.stringify(progress);
    if (said === this.#sent) return;
    this.#sent = said;
    this.#socket?.send(progress);
  }
}

/** Completed parts that the server has not acknowledged yet. */
export class CompletedPartQueue {
  readonly #pending = new Map<number, CompletedPart>();
  readonly #unsent = new Set<number>();

  add(receipt: CompletedPart): void {
    this.#pending.set(receipt.part, receipt);
    this.#unsent.add(receipt.part);
  }

  acknowledge(parts: Iterable<number>): void {
    for (const part of parts) {
      this.#pending.delete(part);
      this.#unsent.delete(part);
    }
  }

  /** Call it after a reconnect, because sent messages may have been lost. */
  resendAll(): void {
    for (const part of this.#pending.keys()) this.#unsent.add(part);
  }

  /** Takes the completed parts for the next socket message. Parts stay pending until the server acknowledges them. */
  takeUnsent(): CompletedPart[] {
    const batch: CompletedPart[] = [];
    for (const part of this.#unsent) {
      const receipt = this.#pending.get(part);
      if (receipt) batch.push(receipt);
      this.#unsent.delete(part);
      if (batch.length === COMPLETED_PARTS_PER_MESSAGE) break;
    }
    return batch;
  }

  unacknowledged(maxCount: number): CompletedPart[] {
    return [...this.#pending.values()].slice(0, maxCount);
  }

  get size(): number {
    return this.#pending.size;
  }
}
