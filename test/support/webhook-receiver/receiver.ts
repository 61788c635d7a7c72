import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";

declare module "vitest" {
  interface ProvidedContext {
    webhookReceiver: string;
  }
}

/** What the receiver answers to one request. */
export interface ToldAnswer {
  status: number;
  headers?: Record<string, string>;
  /** Closes the connection instead. */
  breaks?: boolean;
  /** Before the answer. */
  delayMs?: number;
  /** Answers once so many requests are open. */
  awaitsOpen?: number;
}

export interface ReceivedRequest {
  method: string;
  headers: Record<string, string>;
  body: string;
}

interface Inbox {
  answers: ToldAnswer[];
  requests: ReceivedRequest[];
  waiting: (() => void)[];
  /** Requests that are being answered, and the most at once. */
  open: number;
  mostOpen: number;
  opened: EventEmitter;
}

/**
 * A receiver of webhooks that fails as it is told, for tests in workerd, which cannot start servers.
 *
 * - any method `/hook/NAME` takes the next told answer, 204 by default
 * - PUT `/answers/NAME` tells the next answers
 * - GET `/requests/NAME?count=N` waits for N requests and answers `{requests, mostOpen}`
 */
export async function startReceiver(): Promise<{ origin: string; close(): Promise<void> }> {
  const inboxes = new Map<string, Inbox>();
  const inboxOf = (name: string) => {
    const inbox = inboxes.get(name) ?? {
      answers: [],
      requests: [],
      waiting: [],
      open: 0,
      mostOpen: 0,
      opened: new EventEmitter(),
    };
    inboxes.set(name, inbox);
    return inbox;
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://receiver");
    const [, kind, name = ""] = url.pathname.split("/");
    const inbox = inboxOf(name);
    if (kind === "hook") void receive(inbox, request, response);
    else if (kind === "answers") void tell(inbox, request, response);
    else void report(inbox, Number(url.searchParams.get("count") ?? 0), response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => {
        resolve();
      });
    });
  return { origin: `http://127.0.0.1:${port}`, close };
}

async function receive(inbox: Inbox, request: IncomingMessage, response: ServerResponse): Promise<void> {
  inbox.open += 1;
  inbox.mostOpen = Math.max(inbox.mostOpen, inbox.open);
  inbox.opened.emit("opened");
  const body = await text(request);
  const answer = inbox.answers.shift() ?? { status: 204 };
  if (answer.delayMs !== undefined) await setTimeout(answer.delayMs);
  while (inbox.mostOpen < (answer.awaitsOpen ?? 0)) await once(inbox.opened, "opened");
  inbox.requests.push({ method: request.method ?? "", headers: request.headers as Record<string, string>, body });
  inbox.open -= 1;
  if (answer.breaks) request.socket.destroy();
  else response.writeHead(answer.status, answer.headers).end();
  for (const check of inbox.waiting.splice(0)) check();
}

async function tell(inbox: Inbox, request: IncomingMessage, response: ServerResponse): Promise<void> {
  inbox.answers.push(...(JSON.parse(await text(request)) as ToldAnswer[]));
  response.writeHead(204).end();
}

async function report(inbox: Inbox, count: number, response: ServerResponse): Promise<void> {
  while (inbox.requests.length < count) await new Promise<void>((resolve) => inbox.waiting.push(resolve));
  const { requests, mostOpen } = inbox;
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ requests, mostOpen }));
}
