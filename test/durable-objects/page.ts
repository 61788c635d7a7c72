import { serverMessage, type ServerMessage } from "#domain/wire.ts";
import type { Client } from "../support/worker.ts";
import type { Upload } from "./support.ts";

type Of<Type extends ServerMessage["type"]> = Extract<ServerMessage, { type: Type }>;

/** Connects as a browser would. */
export function connectSocket(client: Client, downloadId: string, headers: HeadersInit = {}): Promise<Response> {
  const upgrade = new Headers(headers);
  upgrade.set("upgrade", "websocket");
  return client.fetch(`/ws?id=${downloadId}`, { headers: upgrade });
}

/** A page with an open socket, which records every message. */
export class Page {
  readonly received: ServerMessage[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly #socket: WebSocket;
  #read = 0;
  #wake: () => void = () => undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      this.received.push(serverMessage.parse(JSON.parse(String(data))));
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
    const response = await connectSocket(client, downloadId, headers);
    if (!response.webSocket) throw new Error(`${response.status} ${await response.text()}`);
    return new Page(response.webSocket);
  }

  /** Waits for the next unread message of that type; skips others. */
  async next<Type extends ServerMessage["type"]>(type: Type): Promise<Of<Type>> {
    for (;;) {
      while (this.#read < this.received.length) {
        const message = this.received[this.#read];
        this.#read += 1;
        if (isOfType(message, type)) return message;
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  all<Type extends ServerMessage["type"]>(type: Type): Of<Type>[] {
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

function isOfType<Type extends ServerMessage["type"]>(
  message: ServerMessage | undefined,
  type: Type,
): message is Of<Type> {
  return message?.type === type;
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
