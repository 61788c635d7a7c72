import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { watchUpload } from "#app/lib/arriving.client.ts";
import { senderLive } from "#app/lib/live.ts";
import { SENDER_MESSAGES_PER_SECOND } from "#domain/rate-limits.ts";
import { serverMessage, type ServerMessage, type SenderMessage } from "#domain/wire.ts";
import { describeProgress } from "#engine/direct-upload.ts";
import { LiveSocket } from "#engine/live-socket.ts";
import { CompletedPartQueue, SenderSocket } from "#engine/sender-socket.ts";

/** Opens, closes and answers only when the test says so. */
class FakeWebSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static instances: FakeWebSocket[] = [];
  readyState = 0;
  wasClosed = false;
  sent: string[] = [];
  onopen: (() => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  readonly url: string;

  constructor(url: string) {
    this.url = url;
    FakeWebSocket.instances.push(this);
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
    this.onclose?.({ code: 1006 });
  }
  close(): void {
    this.wasClosed = true;
    this.drop();
  }
  receive(data: unknown): void {
    this.onmessage?.({ data });
  }
}

function lastSocket(): FakeWebSocket {
  const socket = FakeWebSocket.instances.at(-1);
  if (!socket) throw new Error("no socket");
  return socket;
}

const progress = (percent: number) =>
  ({ type: "upload_progress", uploadId: "u", filename: "f", progress: percent, statusMessage: "Uploading" }) as const;

let messages: ServerMessage[] = [];
let live: LiveSocket<ServerMessage, SenderMessage>;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeWebSocket);
  vi.stubGlobal("location", new URL("https://files.example.com/download/x"));
  FakeWebSocket.instances = [];
  messages = [];
  live = new LiveSocket(senderLive, "an id", serverMessage, { onMessage: (message) => messages.push(message) });
});
afterEach(() => {
  live.close();
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("an upload's socket", () => {
  it("connects to the same site, encrypted if the page is", () => {
    expect(lastSocket().url).toBe("wss://files.example.com/ws?id=an+id");
  });

  it("connects a recipient below the link's address, to which the browser sends the link's cookies", () => {
    const recipient = watchUpload("abc", { onMessage: () => undefined });
    expect(lastSocket().url).toBe("wss://files.example.com/api/files/download/abc/live");
    recipient.close();
  });

  it("reconnects after a random wait that grows until a connection has lasted ten seconds [API-30]", () => {
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    const expectReconnectAfter = (waitMs: number) => {
      const { length } = FakeWebSocket.instances;
      vi.advanceTimersByTime(waitMs - 1);
      expect(FakeWebSocket.instances).toHaveLength(length);
      vi.advanceTimersByTime(1);
      expect(FakeWebSocket.instances).toHaveLength(length + 1);
    };
    lastSocket().drop();
    expectReconnectAfter(8000);
    lastSocket().drop();
    expectReconnectAfter(16_000);
    lastSocket().open();
    vi.advanceTimersByTime(9999);
    lastSocket().drop();
    expectReconnectAfter(17_000);
    lastSocket().open();
    vi.advanceTimersByTime(10_000);
    lastSocket().drop();
    expectReconnectAfter(8000);
    lastSocket().drop();
    expectReconnectAfter(16_000);
  });

  it("queues messages while closed and sends them once open [API-31]", () => {
    live.send(progress(1));
    live.send(progress(2));
    expect(lastSocket().sent).toEqual([]);
    lastSocket().open();
    expect(lastSocket().sent.map((text) => (JSON.parse(text) as { progress: number }).progress)).toEqual([1, 2]);
    live.send(progress(3));
    expect(lastSocket().sent).toHaveLength(3);
  });

  it("queues fewer messages than a second allows and drops the oldest", () => {
    for (let percent = 0; percent <= 100; percent += 1) live.send(progress(percent));
    lastSocket().open();
    expect(lastSocket().sent.length).toBeLessThan(SENDER_MESSAGES_PER_SECOND);
    expect(lastSocket().sent.at(-1)).toContain('"progress":100');
  });

  it("delivers known messages and ignores all others", () => {
    lastSocket().open();
    lastSocket().receive(JSON.stringify(progress(7)));
    lastSocket().receive("{nonsense");
    lastSocket().receive('{"type":"from the future"}');
    lastSocket().receive(new ArrayBuffer(2));
    expect(messages).toEqual([progress(7)]);
  });

  it("does not reconnect after the upload has ended or it was closed", () => {
    lastSocket().open();
    lastSocket().receive('{"type":"upload_ended","status":"ready"}');
    lastSocket().drop();
    vi.advanceTimersByTime(60_000);
    expect(FakeWebSocket.instances).toHaveLength(1);
    expect(messages).toEqual([{ type: "upload_ended", status: "ready" }]);
  });

  it("closes a connecting socket only once it is open, because browsers log an error otherwise", () => {
    live.send(progress(1));
    live.close();
    expect(lastSocket().wasClosed).toBe(false);
    lastSocket().open();
    expect(lastSocket().wasClosed).toBe(true);
    expect(lastSocket().sent).toEqual([]);
    vi.advanceTimersByTime(60_000);
    expect(FakeWebSocket.instances).toHaveLength(1);
  });

  it("closes an open socket at once", () => {
    lastSocket().open();
    live.close();
    expect(lastSocket().wasClosed).toBe(true);
  });
});

describe("the sender's socket", () => {
  let percent = 0;
  const openSocket = (receipts: CompletedPartQueue) =>
    new SenderSocket("d", {
      live: senderLive,
      messages: serverMessage,
      describeProgress: () => describeProgress({ uploadId: "u" }, "f", percent),
      receipts,
      onEnded: () => undefined,
    });
  const sentMessages = () => lastSocket().sent.map((text) => JSON.parse(text) as SenderMessage);
  const percents = () =>
    sentMessages().flatMap((message) => (message.type === "upload_progress" ? [message.progress] : []));
  const sentReceipts = () => sentMessages().flatMap((message) => (message.type === "receipts" ? message.receipts : []));

  it("sends receipts always, and progress only while somebody watches [UP-22]", () => {
    const receipts = new CompletedPartQueue();
    const socket = openSocket(receipts);
    const pass = (part: number, newPercent: number) => {
      receipts.add({ part, etag: "abc" });
      percent = newPercent;
      vi.advanceTimersByTime(2000);
    };
    vi.advanceTimersByTime(1000);
    lastSocket().open();

    pass(1, 10);
    lastSocket().receive('{"type":"watchers","count":0}');
    pass(2, 20);
    expect(percents()).toEqual([]);
    expect(sentReceipts().map(({ part }) => part)).toEqual([1, 2]);

    lastSocket().receive('{"type":"watchers","count":1}');
    pass(3, 30);
    expect(percents()).toEqual([30]);
    lastSocket().receive('{"type":"watchers","count":0}');
    pass(4, 40);
    expect(percents()).toEqual([30]);
    expect(sentReceipts().map(({ part }) => part)).toEqual([1, 2, 3, 4]);
    socket.close();
  });

  it("says in its progress which upload and which file it is, how much, and what happens [ENT-23]", () => {
    const socket = openSocket(new CompletedPartQueue());
    vi.advanceTimersByTime(1000);
    lastSocket().open();
    lastSocket().receive('{"type":"watchers","count":1}');
    for (percent of [40, 100]) {
      vi.advanceTimersByTime(2000);
    }
    const report = { type: "upload_progress", uploadId: "u", filename: "f" };
    expect(sentMessages()).toEqual([
      { ...report, progress: 40, statusMessage: "Uploading" },
      { ...report, progress: 100, statusMessage: "Finishing" },
    ]);
    socket.close();
  });
});
