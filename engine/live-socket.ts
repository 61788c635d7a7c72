import type * as z from "zod/mini";
import { SENDER_MESSAGES_PER_SECOND } from "#domain/rate-limits.ts";
import { LASTING_CONNECTION_MS, reconnectWaitMs } from "#domain/reconnect.ts";
import type { Live, LiveConnection } from "./ports.ts";

/**
 * The most queued messages. A reconnect sends all queued messages at once, and half of the rate limit stays free for
 * new messages.
 */
const QUEUE_LIMIT = SENDER_MESSAGES_PER_SECOND / 2;

export interface LiveSocketEvents<Received> {
  onMessage(message: Received): void;
  onOpen?(): void;
  /** Called for a lost connection and a failed attempt to connect. */
  onClose?(): void;
}

/** States of a WebSocket (https://websockets.spec.whatwg.org/#dom-websocket-readystate). */
const CONNECTING = 0;
const OPEN = 1;

/** The WebSocket of one upload. Reconnects, and queues messages while disconnected. */
export class LiveSocket<Received extends { type: string }, Sent = never> {
  readonly #live: Live;
  readonly #downloadId: string;
  readonly #received: z.ZodMiniType<Received>;
  readonly #events: LiveSocketEvents<Received>;
  readonly #queue: string[] = [];
  #socket: LiveConnection | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Attempts since the last connection that lasted. */
  #failed = 0;
  #isClosed = false;

  /** @param received the schema of the server's messages; other messages are ignored */
  constructor(live: Live, downloadId: string, received: z.ZodMiniType<Received>, events: LiveSocketEvents<Received>) {
    this.#live = live;
    this.#downloadId = downloadId;
    this.#received = received;
    this.#events = events;
    this.#connect();
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === OPEN;
  }

  send(message: Sent): void {
    const text = JSON.stringify(message);
    if (this.isOpen) {
      this.#socket?.send(text);
      return;
    }
    this.#queue.push(text);
    // A newer progress message replaces an older one.
    if (this.#queue.length > QUEUE_LIMIT) this.#queue.shift();
  }

  /**
   * Closes the socket for good. Waits for an open socket first, because browsers log an error for closing a connecting
   * one.
   */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    if (this.#socket?.readyState !== CONNECTING) this.#socket?.close(1000);
  }

  #connect(): void {
    let openedAt = Infinity;
    try {
      this.#socket = this.#live(this.#downloadId, {
        onOpen: () => {
          openedAt = performance.now();
          this.#handleOpen();
        },
        onMessage: (data) => this.#handleMessage(data),
        onClose: () => {
          this.#events.onClose?.();
          if (performance.now() - openedAt >= LASTING_CONNECTION_MS) this.#failed = 0;
          this.#reconnect();
        },
      });
    } catch {
      this.#reconnect();
    }
  }

  #handleOpen(): void {
    if (this.#isClosed) {
      this.#socket?.close(1000);
      return;
    }
    for (const text of this.#queue.splice(0)) this.#socket?.send(text);
    this.#events.onOpen?.();
  }

  #handleMessage(data: unknown): void {
    const message = this.#parse(data);
    if (!message) return;
    // `upload_ended` is the last message of every upload.
    if (message.type === "upload_ended") this.close();
    this.#events.onMessage(message);
  }

  #reconnect(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => this.#connect(), reconnectWaitMs(this.#failed, Math.random()));
    this.#failed += 1;
  }

  #parse(data: unknown): Received | null {
    try {
      const result = this.#received.safeParse(JSON.parse(String(data)));
      return result.success ? result.data : null;
    } catch {
      return null;
    }
  }
}
