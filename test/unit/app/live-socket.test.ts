import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LiveSocket } from "#app/lib/live-socket.ts";
import { ReceiptQueue } from "#app/features/upload/engine/receipt-queue.ts";
import { SenderSocket } from "#app/features/upload/engine/sender-socket.ts";
import { SENDER_MESSAGES_PER_SECOND } from "#domain/rate-limits.ts";
import type { ServerMessage, SenderMessage, StartUploadAnswer } from "#domain/wire.ts";

/** The browser's WebSocket as a test plays it: nothing opens, closes or answers by itself. */
class PlayedSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static all: PlayedSocket[] = [];
  readyState = 0;
  wasClosed = false;
  sent: string[] = [];
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  readonly url: string;

  constructor(url: string) {
    this.url = url;
    PlayedSocket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(text);
  }
  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }
  drop(): void {
    this.readyState = 3;
    this.onclose?.();
  }
  close(): void {
    this.wasClosed = true;
    this.drop();
  }
  receive(data: unknown): void {
    this.onmessage?.({ data });
  }
}

function newest(): PlayedSocket {
  const socket = PlayedSocket.all.at(-1);
  if (!socket) throw new Error("no socket");
  return socket;
}

const progress = (percent: number) =>
  ({ type: "upload_progress", uploadId: "u", filename: "f", progress: percent, statusMessage: "Uploading" }) as const;

let heard: ServerMessage[] = [];
let live: LiveSocket;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", PlayedSocket);
  vi.stubGlobal("location", new URL("https://files.example.com/download/x"));
  PlayedSocket.all = [];
  heard = [];
  live = new LiveSocket("an id", { onMessage: (message) => heard.push(message) });
});
afterEach(() => {
  live.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("an upload's socket", () => {
  it("asks the same site, encrypted where the page is", () => {
    expect(newest().url).toBe("wss://files.example.com/ws?id=an+id");
  });

  it("comes back after 3 s when lost, and after 5 s when it could not be made", () => {
    newest().open();
    newest().drop();
    vi.advanceTimersByTime(2999);
    expect(PlayedSocket.all).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(PlayedSocket.all).toHaveLength(2);

    newest().drop();
    vi.advanceTimersByTime(4999);
    expect(PlayedSocket.all).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(PlayedSocket.all).toHaveLength(3);
  });

  it("keeps what is said while closed, and sends it once open", () => {
    live.send(progress(1));
    live.send(progress(2));
    expect(newest().sent).toEqual([]);
    newest().open();
    expect(newest().sent.map((text) => (JSON.parse(text) as { progress: number }).progress)).toEqual([1, 2]);
    live.send(progress(3));
    expect(newest().sent).toHaveLength(3);
  });

  it("keeps only so much that a second holds it: the newest progress says it all", () => {
    for (let percent = 0; percent <= 100; percent += 1) live.send(progress(percent));
    newest().open();
    expect(newest().sent.length).toBeLessThan(SENDER_MESSAGES_PER_SECOND);
    expect(newest().sent.at(-1)).toContain('"progress":100');
  });

  it("hears what it knows, and passes over everything else", () => {
    newest().open();
    newest().receive(JSON.stringify(progress(7)));
    newest().receive("{nonsense");
    newest().receive('{"type":"from the future"}');
    newest().receive(new ArrayBuffer(2));
    expect(heard).toEqual([progress(7)]);
  });

  it("does not come back once the upload has ended, or it was closed for good", () => {
    newest().open();
    newest().receive('{"type":"upload_ended","status":"ready"}');
    newest().drop();
    vi.advanceTimersByTime(60_000);
    expect(PlayedSocket.all).toHaveLength(1);
    expect(heard).toEqual([{ type: "upload_ended", status: "ready" }]);
  });

  it("is closed only once it is open: browsers call it an error to close one that still connects", () => {
    live.send(progress(1));
    live.close();
    expect(newest().wasClosed).toBe(false);
    newest().open();
    expect(newest().wasClosed).toBe(true);
    expect(newest().sent).toEqual([]);
    vi.advanceTimersByTime(60_000);
    expect(PlayedSocket.all).toHaveLength(1);
  });

  it("is closed at once when it is open", () => {
    newest().open();
    live.close();
    expect(newest().wasClosed).toBe(true);
  });
});

describe("what the sender's page says", () => {
  const start = { uploadId: "u", downloadId: "d" } as StartUploadAnswer;
  const said = () => newest().sent.map((text) => JSON.parse(text) as SenderMessage);
  const percents = () => said().flatMap((message) => (message.type === "upload_progress" ? [message.progress] : []));
  const receiptsSaid = () => said().flatMap((message) => (message.type === "receipts" ? message.receipts : []));

  it("is receipts always, and progress only while somebody watches", () => {
    const book = new ReceiptQueue();
    const relay = new SenderSocket(start, "f", book, () => undefined);
    const pass = (part: number, percent: number) => {
      book.add({ part, etag: "abc" });
      relay.setProgress(percent);
      vi.advanceTimersByTime(2000);
    };
    vi.advanceTimersByTime(1000);
    newest().open();

    pass(1, 10);
    newest().receive('{"type":"watchers","count":0}');
    pass(2, 20);
    expect(percents()).toEqual([]);
    expect(receiptsSaid().map(({ part }) => part)).toEqual([1, 2]);

    newest().receive('{"type":"watchers","count":1}');
    pass(3, 30);
    expect(percents()).toEqual([30]);
    newest().receive('{"type":"watchers","count":0}');
    pass(4, 40);
    expect(percents()).toEqual([30]);
    expect(receiptsSaid().map(({ part }) => part)).toEqual([1, 2, 3, 4]);
    relay.close();
  });
});
