import type { Runs } from "#domain/transfers/runs.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { TransferMessage, TransferProgress } from "#domain/wire.ts";
import type { Live } from "../ports.ts";
import type { UploadEnd } from "../sender-socket.ts";
import { TransferSocket } from "../transfer-socket.ts";

const PROGRESS_MESSAGE_INTERVAL_MS = SECOND_MS / 2;
/** Shorter transfers need no socket. */
const SOCKET_DELAY_MS = SECOND_MS;

interface Options {
  /** Null: there is no socket. */
  live: Live | null;
  /** What whoever has the link sees. */
  describeProgress(): Omit<TransferProgress, "type">;
  onStored(runs: Runs): void;
  /** The transfer has ended, here or on another device. */
  onEnded(status: UploadEnd): void;
}

/** The sender's socket: says how far the transfer is while somebody watches. The transfer works without it. */
export class TransferSenderSocket {
  readonly #options: Options;
  readonly #delay: ReturnType<typeof setTimeout> | undefined;
  #interval: ReturnType<typeof setInterval> | undefined;
  #socket: TransferSocket | null = null;
  #watchers = 0;
  #sent = "";

  constructor(downloadId: string, options: Options) {
    this.#options = options;
    const { live } = options;
    if (!live) return;
    this.#delay = setTimeout(() => this.#open(live, downloadId), SOCKET_DELAY_MS);
  }

  close(): void {
    clearTimeout(this.#delay);
    clearInterval(this.#interval);
    this.#socket?.close();
  }

  #open(live: Live, downloadId: string): void {
    this.#socket = new TransferSocket(live, downloadId, {
      onMessage: (message) => this.#handleMessage(message),
    });
    this.#interval = setInterval(() => this.#sendProgress(), PROGRESS_MESSAGE_INTERVAL_MS);
  }

  #handleMessage(message: TransferMessage): void {
    const { onStored, onEnded } = this.#options;
    if (message.type === "transfer_state") onStored(message.stored);
    if (message.type === "entries_stored") onStored(message.runs);
    if (message.type === "upload_ended") onEnded(message.status);
    if (message.type === "watchers") {
      this.#watchers = message.count;
      this.#sent = "";
    }
  }

  #sendProgress(): void {
    if (this.#watchers === 0) return;
    const progress = this.#options.describeProgress();
    const said = JSON.stringify(progress);
    if (said === this.#sent) return;
    this.#sent = said;
    this.#socket?.send({ type: "transfer_progress", ...progress });
  }
}
