import { feedMessage, type DownloadNews, type News } from "#domain/wire.ts";
import type { Client } from "./worker.ts";

export function connectFeed(client: Client, headers: HeadersInit = {}): Promise<Response> {
  const upgrade = new Headers(headers);
  upgrade.set("upgrade", "websocket");
  return client.fetch("/ws/account", { headers: upgrade });
}

/** A page of an account that is told what happens to its links. */
export class FeedPage {
  /** What each message brought; the first is what was remembered. */
  readonly messages: News[][] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly #socket: WebSocket;
  #wake: () => void = () => undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      this.messages.push(feedMessage.parse(JSON.parse(String(data))).news);
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
  static async open(client: Client): Promise<FeedPage> {
    const response = await connectFeed(client);
    if (!response.webSocket) throw new Error(`${response.status} ${await response.text()}`);
    const page = new FeedPage(response.webSocket);
    await page.until(() => page.messages.length > 0);
    return page;
  }

  /** Downloads as the page shows them: the latest news of each. */
  get downloads(): DownloadNews[] {
    const downloads = this.messages.flat().filter((news) => news.type === "download");
    return [...new Map(downloads.map((news) => [news.id, news])).values()];
  }

  async until(isThere: () => boolean): Promise<void> {
    while (!isThere()) await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  /** Waits for as many downloads that have ended. */
  async ended(count: number): Promise<DownloadNews[]> {
    const ended = () => this.downloads.filter(({ state }) => state !== "running");
    await this.until(() => ended().length >= count);
    return ended();
  }

  send(text: string): void {
    this.#socket.send(text);
  }

  close(): void {
    this.#socket.close(1000, "The page was left.");
  }
}
