import { serverMessage, transferMessage, type ServerMessage, type TransferMessage } from "#domain/wire.ts";
import type { Client } from "../support/worker.ts";
import type { Upload } from "./support.ts";

/** Connects as a browser would. */
export function connectSocket(client: Client, downloadId: string, headers: HeadersInit = {}): Promise<Response> {
  const upgrade = new Headers(headers);
  upgrade.set("upgrade", "websocket");
  return client.fetch(`/ws?id=${downloadId}`, { headers: upgrade });
}

/** A page with an open socket, which records every message. */
export class Page<Message extends { type: string } = ServerMessage> {
  readonly received: Message[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly #socket: WebSocket;
  #read = 0;
  #wake: () => void = () => undefined;

  private constructor(socket: WebSocket, parse: (json: unknown) => Message) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      this.received.push(parse(JSON.parse(String(data))));
      this.#wake();
    });
    this.closed = new Promise((resolve) => {
      socket.addEventListener("close", ({ code, reason }) => {
        resolve({ code, reason });
      });
    });
    socket.accept();
  }

  /** @throws Error when the connection is rejected */
  static async open(
    { downloadId }: Pick<Upload, "downloadId">,
    client: Client,
    headers: HeadersInit = {},
  ): Promise<Page> {
    return new Page(await socketOf(connectSocket(client, downloadId, headers)), (json) => serverMessage.parse(json));
  }

  /** A page of a transfer. @throws Error when the connection is rejected */
  static async openTransfer(downloadId: string, client: Client): Promise<Page<TransferMessage>> {
    return new Page(await socketOf(connectSocket(client, downloadId)), (json) => transferMessage.parse(json));
  }

  /** Waits for the next unread message of that type; skips others. */
  async next<Type extends Message["type"]>(type: Type): Promise<Extract<Message, { type: Type }>> {
    for (;;) {
      while (this.#read < this.received.length) {
        const message = this.received[this.#read];
        this.#read += 1;
        if (isOfType(message, type)) return message;
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  all<Type extends Message["type"]>(type: Type): Extract<Message, { type: Type }>[] {
    return this.received.filter((message) => isOfType(message, type));
  }

  send(message: unknown): void {
    this.#socket.send(JSON.stringify(message));
  }

  sendRaw(data: string | ArrayBuffer): void {
    this.#socket.send(data);
  }

  close(): void {
    this.#socket.close(1000, "The page was left.");
  }
}

function isOfType<Message extends { type: string }, Type extends Message["type"]>(
  message: Message | undefined,
  type: Type,
): message is Extract<Message, { type: Type }> {
  return message?.type === type;
}

/** @throws Error when the connection is rejected */
async function socketOf(connecting: Promise<Response>): Promise<WebSocket> {
  const response = await connecting;
  if (!response.webSocket) throw new Error(`${response.status} ${await response.text()}`);
  return response.webSocket;
}

export function progressMessage(progress: number, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    type: "upload_progress",
    uploadId: "not mine",
    filename: "not mine.exe",
    progress,
    statusMessage: "Uploading, 3 s left",
    ...more,
  };
}
