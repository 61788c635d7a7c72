import { MIB } from "#domain/units.ts";
import type { WaitedFor, Obstacle } from "../reader/fetch-records.ts";
import { FinalSum } from "../reader/final-sum.ts";
import { OpenError, type OpenProblem } from "../reader/open-error.ts";
import { openSource, type Source } from "../reader/sources.ts";
import { answerRange, readRange } from "./ranges.ts";
import { OPENED_PATH, type FromStreamer, type StreamOrder, type ToStreamer } from "./stream-messages.ts";

/**
 * The service worker of sealed links. Below `/download/{id}/open/` it fetches and decrypts what viewers and the
 * browser's own downloads request. The keys come from the page, cannot be exported, and stay in memory only.
 */

/** The largest answer to a range request, and so the most bytes that a seek can waste. */
const MAX_RANGE_BYTES = 4 * MIB;
const ANSWER_TIMEOUT_MS = 10_000;

/** Forbid scripts and other resources, whatever the decrypted bytes are, so that a file cannot act as a page. */
const SAFE_HEADERS = {
  "content-security-policy": "default-src 'none'; sandbox",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

interface WindowClient {
  postMessage(message: FromStreamer, transfer: Transferable[]): void;
}

/** The part of a service worker's global scope used here. The page's types lack it. */
interface Scope {
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void>; matchAll(filter: { type: "window" }): Promise<WindowClient[]> };
  addEventListener(
    type: "install" | "activate",
    listen: (event: { waitUntil(work: Promise<unknown>): void }) => void,
  ): void;
  addEventListener(type: "message", listen: (event: MessageEvent<ToStreamer>) => void): void;
  addEventListener(
    type: "fetch",
    listen: (event: { request: Request; respondWith(answer: Promise<Response>): void }) => void,
  ): void;
}

const scope = globalThis as unknown as Scope;
const orders = new Map<string, StreamOrder>();
/** The downloads under way, by token. */
const running = new Map<string, AbortController>();

scope.addEventListener("install", (event) => event.waitUntil(scope.skipWaiting()));
scope.addEventListener("activate", (event) => event.waitUntil(scope.clients.claim()));
scope.addEventListener("message", ({ data, ports }) => {
  if (data.type === "keep") {
    orders.set(data.token, data.order);
    ports[0]?.postMessage(null);
  } else if (data.type === "drop") {
    orders.delete(data.token);
    running.get(data.token)?.abort();
  } else ports[0]?.postMessage([...running.keys()]);
});
scope.addEventListener("fetch", (event) => {
  const { pathname } = new URL(event.request.url);
  const token = OPENED_PATH.exec(pathname)?.[1];
  if (token !== undefined) event.respondWith(answer(token, event.request));
});

async function answer(token: string, request: Request): Promise<Response> {
  // A restarted service worker has lost the keys and content of its URLs, and asks the page.
  const order = orders.get(token) ?? (await ask<StreamOrder>({ type: "order", token }));
  if (!order) return new Response(null, { status: 404, headers: SAFE_HEADERS });
  orders.set(token, order);
  const source = await openSource(order.keys, order.content);
  const headers = { ...SAFE_HEADERS, "content-type": order.contentType, "accept-ranges": "bytes" };
  if (order.disposition !== undefined)
    return download(token, source, await FinalSum.of(order.content), {
      ...headers,
      "content-disposition": order.disposition,
    });
  const range = readRange(request.headers.get("range"), source.size);
  if (range === "unsatisfiable")
    return new Response(null, { status: 416, headers: { ...headers, "content-range": `bytes */${source.size}` } });
  const { status, from, to } = answerRange(range, source.size, MAX_RANGE_BYTES);
  const life = new AbortController();
  const body = streamOf(source, { from, to, token, life });
  const answered = new Headers({ ...headers, "content-length": String(to - from) });
  if (status === 206) answered.set("content-range", `bytes ${from}-${to - 1}/${source.size}`);
  return new Response(body, { status, headers: answered });
}

/** @param sum of a file that is followed, to be compared before the last bytes are handed over */
function download(token: string, source: Source, sum: FinalSum | null, headers: Record<string, string>): Response {
  const life = new AbortController();
  running.set(token, life);
  const end = (message: FromStreamer) => {
    running.delete(token);
    void tell(message);
  };
  const body = streamOf(source, {
    from: 0,
    to: source.size,
    token,
    life,
    onProgress: (bytes) => void tell({ type: "progress", token, bytes, size: source.size }),
    onWaiting: (awaited) => void tell({ type: "waiting", token, awaited }),
    sum,
    onWhole: () => end({ type: "whole", token }),
    onBroken: (problem) => end({ type: "broken", token, problem }),
  });
  // A download cannot be resumed, because the browser would request the rest without the page, which has the keys.
  return new Response(body, {
    headers: { ...headers, "accept-ranges": "none", "content-length": String(source.size) },
  });
}

interface Streaming {
  from: number;
  /** Exclusive. */
  to: number;
  token: string;
  life: AbortController;
  onProgress?(bytes: number): void;
  onWaiting?(awaited: WaitedFor): void;
  sum?: FinalSum | null;
  onWhole?(): void;
  onBroken?(problem: OpenProblem | "stopped"): void;
}

/** The stream fails instead of ending early, because a browser would take an early end for the whole file. */
function streamOf(source: Source, { from, to, token, life, sum, ...events }: Streaming): ReadableStream<Uint8Array> {
  const clear = async (obstacle: Obstacle) => {
    if ((await ask<boolean>({ type: "obstacle", token, obstacle })) !== true)
      throw new OpenError(obstacle === "locked" ? "locked" : "refused");
  };
  const read = source.read(from, to, {
    signal: life.signal,
    clear,
    ...(events.onWaiting && { onWaiting: events.onWaiting }),
  });
  const pieces = sum ? compared(read, sum, token) : read;
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { value, done } = await pieces.next();
        if (done !== true) {
          sent += value.length;
          controller.enqueue(value);
          events.onProgress?.(sent);
          return;
        }
        if (sent !== to - from) throw new OpenError("damaged");
        controller.close();
        events.onWhole?.();
      } catch (error) {
        controller.error(error);
        const problem = error instanceof OpenError ? error.problem : "refused";
        events.onBroken?.(life.signal.aborted ? "stopped" : problem);
      }
    },
    cancel: () => {
      life.abort();
      events.onBroken?.("stopped");
    },
  });
}

/** Holds the last piece until the sum is compared, because a browser takes a response of the full length for whole. */
async function* compared(
  pieces: AsyncIterable<Uint8Array>,
  sum: FinalSum,
  token: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  let held: Uint8Array | null = null;
  for await (const piece of pieces) {
    sum.add(piece);
    if (held) yield held;
    held = piece;
  }
  sum.compare(await ask<string>({ type: "ended", token }));
  if (held) yield held;
}

async function tell(message: FromStreamer): Promise<void> {
  for (const client of await scope.clients.matchAll({ type: "window" })) client.postMessage(message, []);
}

/** Asks all pages. The page that knows the token answers. @returns null if none answers in time */
async function ask<Answer>(message: FromStreamer): Promise<Answer | null> {
  const clients = await scope.clients.matchAll({ type: "window" });
  const { promise, resolve } = Promise.withResolvers<Answer | null>();
  const timer = setTimeout(() => resolve(null), message.type === "order" ? ANSWER_TIMEOUT_MS : 60 * ANSWER_TIMEOUT_MS);
  for (const client of clients) {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data);
    client.postMessage(message, [port2]);
  }
  const found = await promise;
  clearTimeout(timer);
  return found;
}
