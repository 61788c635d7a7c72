import { DurableObject } from "cloudflare:workers";
import {
  addReport,
  newsOf,
  waitsUntil,
  type DownloadReport,
  type FollowedDownload,
} from "#domain/feed/followed-downloads.ts";
import type { FeedMessage, News, ReceivedNews } from "#domain/wire.ts";
import { openDatabase, type Database } from "#worker/db/client.ts";
import { findStandingSessions } from "#worker/db/sessions.ts";
import { logError } from "#worker/log.ts";
import { echoClose, POLICY_VIOLATION } from "../shared/session-sockets.ts";

/** The most news that a page gets when it connects. */
const REMEMBERED = 50;
/** News is sent to pages at most twice a second. */
const PASS_ON_EVERY_MS = 500;

export interface FeedAdmission {
  /** The sign-in session that opens the socket. */
  sessionId: string;
  /** The most sockets of the account; null when rate limits are off. */
  max: number | null;
}

const ADMISSION_HEADER = "x-feed-admission";

/** Passes the admission in a header that clients cannot forge, because the Worker always overwrites it. */
export function feedRequest(request: Request, admission: FeedAdmission): Request {
  const headers = new Headers(request.headers);
  headers.set(ADMISSION_HEADER, encodeURIComponent(JSON.stringify(admission)));
  return new Request(request, { headers });
}

/**
 * Tells an account's open pages news of its links. Keeps only the latest news, in memory, so an eviction loses that
 * news. A page gets no news once its sign-in session has ended.
 */
export class AccountFeed extends DurableObject<Env> {
  readonly #db: Database;
  /** The latest news of each download and each received transfer, by its key. The key that changed last comes last. */
  readonly #remembered = new Map<string, FollowedDownload | ReceivedNews>();
  /** Keys of news that pages have not yet received. */
  readonly #changed = new Set<string>();
  /** Epoch milliseconds. */
  #passedOnAt = 0;
  #nextPassingOn: ReturnType<typeof setTimeout> | undefined;
  /** The timer that runs while pages are open and a download waits for its next part. */
  #endOfWaiting: ReturnType<typeof setTimeout> | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#db = openDatabase(env.DB);
  }

  tell(news: ReceivedNews): void {
    this.#remember(`received ${news.transferId}`, news);
  }

  report(report: DownloadReport): void {
    const key = `download ${report.news.id}`;
    const known = this.#remembered.get(key);
    this.#remember(key, addReport(known !== undefined && "latest" in known ? known : undefined, report));
  }

  /** Opens a socket. The Worker has checked that the account is the caller's own (`feedRequest`). */
  override async fetch(request: Request): Promise<Response> {
    const header = decodeURIComponent(request.headers.get(ADMISSION_HEADER) ?? "");
    const { sessionId, max } = JSON.parse(header) as FeedAdmission;
    if (max !== null && this.#openSockets().length >= max) {
      await this.#closeEnded();
      if (this.#openSockets().length >= max) return new Response(null, { status: 429 });
    }
    const pair = new WebSocketPair();
    this.ctx.acceptWebSocket(pair[1], [sessionId]);
    sendNews(pair[1], this.#newsOf(this.#remembered.keys()));
    this.#watchWaiting();
    return new Response(null, { status: 101, webSocket: pair[0] });
  }

  override webSocketMessage(socket: WebSocket): void {
    socket.close(POLICY_VIOLATION, "This socket takes no messages.");
  }

  override webSocketClose(socket: WebSocket, code: number, reason: string): void {
    echoClose(socket, code, reason);
  }

  #remember(key: string, value: FollowedDownload | ReceivedNews): void {
    this.#remembered.delete(key);
    this.#remembered.set(key, value);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > REMEMBERED && oldest !== undefined) this.#remembered.delete(oldest);
    this.#passOnSoon([key]);
  }

  #passOnSoon(keys: string[]): void {
    if (this.#openSockets().length === 0) return;
    for (const key of keys) this.#changed.add(key);
    if (this.#nextPassingOn !== undefined) return;
    const waitMs = this.#passedOnAt + PASS_ON_EVERY_MS - Date.now();
    const passOn = () => {
      this.#nextPassingOn = undefined;
      this.#passedOnAt = Date.now();
      this.ctx.waitUntil(this.#passOn());
    };
    if (waitMs > 0) this.#nextPassingOn = setTimeout(passOn, Math.min(waitMs, PASS_ON_EVERY_MS));
    else passOn();
  }

  async #passOn(): Promise<void> {
    const keys = [...this.#changed];
    this.#changed.clear();
    try {
      await this.#closeEnded();
    } catch (error) {
      logError("feed.not_passed_on", error);
      return;
    }
    const news = this.#newsOf(keys);
    for (const socket of this.#openSockets()) sendNews(socket, news);
    this.#watchWaiting();
  }

  /** Closes the sockets of ended sign-in sessions, so that a sign-out needs no call to this object. */
  async #closeEnded(): Promise<void> {
    const sockets = this.#openSockets();
    const sessionOf = (socket: WebSocket) => this.ctx.getTags(socket)[0] ?? "";
    const standing = await findStandingSessions(this.#db, [...new Set(sockets.map(sessionOf))], Date.now());
    for (const socket of sockets) {
      if (!standing.has(sessionOf(socket))) socket.close(POLICY_VIOLATION, "The session has ended.");
    }
  }

  /** Tells pages of downloads whose next part has not come in time. */
  #watchWaiting(): void {
    clearTimeout(this.#endOfWaiting);
    const now = Date.now();
    const ends = [...this.#remembered].flatMap(([key, value]) => {
      const until = "latest" in value ? waitsUntil(value) : null;
      return until !== null && until > now ? [{ key, until }] : [];
    });
    if (ends.length === 0 || this.#openSockets().length === 0) return;
    const first = Math.min(...ends.map(({ until }) => until));
    const keys = ends.filter(({ until }) => until === first).map(({ key }) => key);
    this.#endOfWaiting = setTimeout(() => this.#passOnSoon(keys), first - now);
  }

  #newsOf(keys: Iterable<string>): News[] {
    const now = Date.now();
    return [...keys].flatMap((key) => {
      const value = this.#remembered.get(key);
      if (value === undefined) return [];
      return "latest" in value ? newsOf(value, now) : value;
    });
  }

  #openSockets(): WebSocket[] {
    return this.ctx.getWebSockets().filter(({ readyState }) => readyState === WebSocket.OPEN);
  }
}

function sendNews(socket: WebSocket, news: News[]): void {
  try {
    socket.send(JSON.stringify({ type: "news", news } satisfies FeedMessage));
  } catch {
    // The socket has just closed. The page that had the socket reconnects.
  }
}
