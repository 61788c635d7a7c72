import { toBase64url } from "#domain/bytes-as-text.ts";
import { randomBytes } from "#domain/seal/keys.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { WaitedFor } from "../reader/fetch-records.ts";
import type { Clear } from "../reader/opener.ts";
import type { FromStreamer, StreamOrder, ToStreamer } from "./stream-messages.ts";

const SCRIPT = "/open-worker.js";
const SCOPE = "/download/";
const PING_MS = 10 * SECOND_MS;
const TOKEN_BYTES = 16;
const CONTROL_TIMEOUT_MS = 5 * SECOND_MS;
/** After this many pings in a row without an answer that names a download, the download counts as lost. */
const MAX_MISSED_PINGS = 3;

interface StreamEvents {
  clear: Clear;
  onProgress?(bytes: number, size: number): void;
  onWaiting?(awaited: WaitedFor): void;
  /** @returns the SHA-256 of the sender's final list, for a file that was followed; null if the list cannot be read */
  findSum?(): Promise<string | null>;
  onWhole?(): void;
  onBroken?(problem: Extract<FromStreamer, { type: "broken" }>["problem"]): void;
}

interface Stream extends StreamEvents {
  order: StreamOrder;
  /** Pings in a row whose answer did not name this download. */
  missedPings: number;
}

const streams = new Map<string, Stream>();

let starting: Promise<ServiceWorker | null> | null = null;

/** @returns the service worker, once it answers this page's requests; null if the browser allows none */
function startStreamer(): Promise<ServiceWorker | null> {
  starting ??= start()
    .catch(() => null)
    .then((worker) => {
      // Forgets a failed start, so that the next download tries again.
      if (!worker) starting = null;
      return worker;
    });
  return starting;
}

async function start(): Promise<ServiceWorker | null> {
  if (!("serviceWorker" in navigator)) return null;
  navigator.serviceWorker.addEventListener("message", hear);
  const registration = await navigator.serviceWorker.register(SCRIPT, { scope: SCOPE });
  const worker = registration.installing ?? registration.waiting ?? registration.active;
  if (!worker) return null;
  await within(activated(worker));
  await within(controlled());
  setInterval(ping, PING_MS);
  return navigator.serviceWorker.controller;
}

function activated(worker: ServiceWorker): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (worker.state === "activated") resolve();
      else if (worker.state === "redundant") reject(new Error("the service worker was replaced"));
    };
    worker.addEventListener("statechange", look);
    look();
  });
}

/** Waits until a service worker controls the page, which never happens after a forced reload. */
function controlled(): Promise<void> {
  return new Promise((resolve) => {
    const { serviceWorker } = navigator;
    const look = () => {
      if (serviceWorker.controller) resolve();
    };
    look();
    serviceWorker.addEventListener("controllerchange", look, { once: true });
  });
}

/** @throws Error if the work takes longer than CONTROL_TIMEOUT_MS */
async function within(work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("the service worker does not answer")), CONTROL_TIMEOUT_MS);
  try {
    await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Finds downloads that ended with a stopped service worker, which cannot report their end. */
function ping(): void {
  const downloads = [...streams].filter(([, { order }]) => order.disposition !== undefined);
  for (const [, stream] of downloads) {
    stream.missedPings += 1;
    if (stream.missedPings > MAX_MISSED_PINGS) stream.onBroken?.("refused");
  }
  if (streams.size === 0) return;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }: MessageEvent<string[]>) => {
    for (const token of data) {
      const stream = streams.get(token);
      if (stream) stream.missedPings = 0;
    }
    port1.close();
  };
  post({ type: "ping" }, [port2]);
}

function post(message: ToStreamer, ports: Transferable[] = []): void {
  navigator.serviceWorker.controller?.postMessage(message, ports);
}

/** Gives a file or ZIP a URL until the page closes. @returns the URL and its release; null without a service worker */
export async function openStream(
  downloadId: string,
  order: StreamOrder,
  events: StreamEvents,
): Promise<{ url: string; close(): void } | null> {
  if ((await startStreamer()) === null) return null;
  const token = toBase64url(randomBytes(TOKEN_BYTES));
  streams.set(token, { ...events, order, missedPings: 0 });
  const close = () => {
    streams.delete(token);
    post({ type: "drop", token });
  };
  try {
    await within(kept(token, order));
  } catch {
    close();
    return null;
  }
  return { url: `/download/${downloadId}/open/${token}`, close };
}

function kept(token: string, order: StreamOrder): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve();
    post({ type: "keep", token, order }, [port2]);
  });
}

function hear({ data, ports }: MessageEvent<FromStreamer>): void {
  const stream = streams.get(data.token);
  if (!stream) return;
  if (data.type === "order") ports[0]?.postMessage(stream.order);
  else if (data.type === "obstacle") {
    stream.clear(data.obstacle).then(
      (isCleared) => ports[0]?.postMessage(isCleared),
      () => ports[0]?.postMessage(false),
    );
  } else if (data.type === "ended") {
    const found = stream.findSum?.() ?? Promise.resolve(null);
    void found.catch(() => null).then((sha256) => ports[0]?.postMessage(sha256));
  } else if (data.type === "progress") stream.onProgress?.(data.bytes, data.size);
  else if (data.type === "waiting") stream.onWaiting?.(data.awaited);
  else if (data.type === "whole") stream.onWhole?.();
  else stream.onBroken?.(data.problem);
}
