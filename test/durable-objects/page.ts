import { serverMessage, type ServerMessage } from "#domain/wire.ts";
import type { Client } from "../support/worker.ts";
import type { Upload } from "./support.ts";

type Of<Type extends ServerMessage["type"]> = Extract<ServerMessage, { type: Type }>;

/** Asks for a socket as a browser's page would. */
export function askForSocket(client: Client, downloadId: string, headers: HeadersInit = {}): Promise<Response> {
  const asked = new Headers(headers);
  asked.set("upgrade", "websocket");
  return client.fetch(`/ws?id=${downloadId}`, { headers: asked });
}

/** A page with an open socket: everything it has been told, in order. */
export class Page {
  readonly heard: ServerMessage[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly #socket: WebSocket;
  #read = 0;
  #wake: () => void = () => undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      this.heard.push(serverMessage.parse(JSON.parse(String(data))));
      this.#wake();
    });
    this.closed = new Promise((resolve) => {
      socket.addEventListener("close", ({ code, reason }) => {
        resolve({ code, reason });
      });
    });
    socket.accept();
  }

  /** @throws Error when the socket is refused */
  static async open(
    { downloadId }: Pick<Upload, "downloadId">,
    client: Client,
    headers: HeadersInit = {},
  ): Promise<Page> {
    const response = await askForSocket(client, downloadId, headers);
    if (!response.webSocket) throw new Error(`${response.status} ${await response.text()}`);
    return new Page(response.webSocket);
  }

  /** The next message of that kind that nobody has read; those before it are passed over. */
  async next<Type extends ServerMessage["type"]>(type: Type): Promise<Of<Type>> {
    for (;;) {
      while (this.#read < this.heard.length) {
        const message = this.heard[this.#read];
        this.#read += 1;
        if (isOf(message, type)) return message;
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  all<Type extends ServerMessage["type"]>(type: Type): Of<Type>[] {
    return this.heard.filter((message) => isOf(message, type));
  }

  send(message: unknown): void {
    this.#socket.send(JSON.stringify(message));
  }

  sayRaw(data: string | ArrayBuffer): void {
    this.#socket.send(data);
  }

  leave(): void {
    this.#socket.close(1000, "The page was left.");
  }
}

function isOf<Type extends ServerMessage["type"]>(message: ServerMessage | undefined, type: Type): message is Of<Type> {
  return message?.type === type;
}

/** What the sender's page says while it sends. */
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
