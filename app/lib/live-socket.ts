import { SENDER_MESSAGES_PER_SECOND } from "#domain/rate-limits.ts";
import { serverMessage, type ServerMessage, type SenderMessage } from "#domain/wire.ts";
import { SECOND_MS } from "#domain/units.ts";

/** A lost connection is tried again after 3 s, one that could not be made after 5 s (specification 1 section 7). */
export const RECONNECT_MS = 3 * SECOND_MS;
export const RECONNECT_AFTER_FAILURE_MS = 5 * SECOND_MS;

/**
 * While closed, this many messages wait; the oldest are dropped, since the newest progress says it all. They are all said
 * in the second in which the connection is back, beside what comes up in it.
 */
const QUEUE_LIMIT = SENDER_MESSAGES_PER_SECOND / 2;

export interface LiveSocketEvents {
  onMessage(message: ServerMessage): void;
  /** The connection is there, for the first time or again. */
  onOpen?(): void;
  /** The connection is gone, or could not be made. It is tried again, unless it was closed for good. */
  onClose?(): void;
}

/** `/ws` for one upload. It reconnects and queues by itself; an upload never depends on it. */
export class LiveSocket {
  readonly #url: string;
  readonly #events: LiveSocketEvents;
  readonly #queue: string[] = [];
  #socket: WebSocket | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(downloadId: string, events: LiveSocketEvents) {
    const url = new URL("/ws", location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    url.searchParams.set("id", downloadId);
    this.#url = url.toString();
    this.#events = events;
    this.#connect();
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  send(message: SenderMessage): void {
    const text = JSON.stringify(message);
    if (this.isOpen) {
      this.#socket?.send(text);
      return;
    }
    this.#queue.push(text);
    if (this.#queue.length > QUEUE_LIMIT) this.#queue.shift();
  }

  /** For good: at once, or as soon as it is open. Browsers report an error when a socket is closed that still connects. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    if (this.#socket?.readyState !== WebSocket.CONNECTING) this.#socket?.close(1000);
  }

  #connect(): void {
    let opened = false;
    try {
      this.#socket = new WebSocket(this.#url);
    } catch {
      this.#reconnectIn(RECONNECT_AFTER_FAILURE_MS);
      return;
    }
    this.#socket.onopen = () => {
      opened = true;
      if (this.#closed) {
        this.#socket?.close(1000);
        return;
      }
      for (const text of this.#queue.splice(0)) this.#socket?.send(text);
      this.#events.onOpen?.();
    };
    this.#socket.onmessage = (event) => {
      const message = parse(event.data);
      if (!message) return;
      // There is nothing to come back to.
      if (message.type === "upload_ended") this.close();
      this.#events.onMessage(message);
    };
    this.#socket.onclose = () => {
      this.#events.onClose?.();
      this.#reconnectIn(opened ? RECONNECT_MS : RECONNECT_AFTER_FAILURE_MS);
    };
  }

  #reconnectIn(waitMs: number): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#connect();
    }, waitMs);
  }
}

function parse(data: unknown): ServerMessage | null {
  try {
    const result = serverMessage.safeParse(JSON.parse(String(data)));
    return result.success ? result.data : null;
  } catch {
    return null;
  }
}
