import { DurableObject } from "cloudflare:workers";
import type { FeedMessage, News } from "#domain/wire.ts";

/** What a page that connects is told of before. */
const REMEMBERED = 50;
/** Messages are passed on twice a second. */
const PASS_ON_EVERY_MS = 500;

/** Tells the open pages of one account what happens to its links. Keeps nothing but the last news, in memory. */
export class AccountFeed extends DurableObject<Env> {
  #remembered: News[] = [];
  #waiting: News[] = [];
  #passOn: ReturnType<typeof setTimeout> | undefined;

  tell(news: News): void {
    this.#remembered = [...this.#remembered, news].slice(-REMEMBERED);
    if (this.ctx.getWebSockets().length === 0) return;
    this.#waiting.push(news);
    if (this.#passOn !== undefined) return;
    this.#passOn = setTimeout(() => {
      this.#passOn = undefined;
      this.#broadcast(this.#waiting.splice(0));
    }, PASS_ON_EVERY_MS);
  }

  /** Opens a socket. The Worker has checked whose it is, and how many there are. */
  override fetch(): Response {
    const pair = new WebSocketPair();
    this.ctx.acceptWebSocket(pair[1]);
    pair[1].send(messageOf(this.#remembered));
    return new Response(null, { status: 101, webSocket: pair[0] });
  }

  override webSocketMessage(socket: WebSocket): void {
    socket.close(1008, "This socket takes no messages.");
  }

  #broadcast(news: News[]): void {
    for (const socket of this.ctx.getWebSockets()) socket.send(messageOf(news));
  }
}

function messageOf(news: News[]): string {
  return JSON.stringify({ type: "news", news } satisfies FeedMessage);
}
