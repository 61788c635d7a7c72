import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { senderLive } from "#app/lib/live.ts";
import type { Runs } from "#domain/transfers/runs.ts";
import {
  transferMessage,
  transferProgress,
  type TransferMessage,
  type TransferProgress as Told,
} from "#domain/wire.ts";
import type { Progress } from "#engine/progress.ts";
import { SenderSocket } from "#engine/sender-socket.ts";
import { SendingObject } from "#engine/transfer/sending-object.ts";
import { TransferEntries } from "#engine/transfer/transfer-entries.ts";
import { TransferProgress } from "#engine/transfer/transfer-progress.ts";
import { TransferRecorder } from "#engine/upload-recorder.ts";

class FakeWebSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static opened: FakeWebSocket[] = [];
  readyState = 1;
  readonly sent: unknown[] = [];
  readonly url: string;
  onmessage: ((event: { data: string }) => void) | null = null;

  constructor(url: string) {
    this.url = url;
    FakeWebSocket.opened.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.readyState = 3;
  }
  receive(message: TransferMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  FakeWebSocket.opened = [];
  vi.stubGlobal("WebSocket", FakeWebSocket);
  vi.stubGlobal("location", { href: "http://localhost/" });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function openSocket(describe = () => ({ bytes: 0, percent: 0, moving: [] as [number, number][] })) {
  const stored: Runs[] = [];
  const ends: string[] = [];
  const socket = new SenderSocket("link", {
    live: senderLive,
    messages: transferMessage,
    describeProgress: () => ({ type: "transfer_progress", ...describe() }),
    onMessage: (message) => {
      if (message.type === "transfer_state") stored.push(message.stored);
      if (message.type === "entries_stored") stored.push(message.runs);
    },
    onEnded: (status) => ends.push(status),
  });
  const connected = () => {
    const [opened] = FakeWebSocket.opened;
    if (!opened) throw new Error("no socket");
    return opened;
  };
  return { socket, connected, stored, ends };
}

it("a transfer that is sent within a second needs no socket", async () => {
  const { socket } = openSocket();
  await vi.advanceTimersByTimeAsync(900);
  socket.close();
  await vi.advanceTimersByTimeAsync(5000);
  expect(FakeWebSocket.opened).toEqual([]);
});

it("progress is told twice a second, when somebody watches and something has changed", async () => {
  let bytes = 0;
  const { connected } = openSocket(() => ({ bytes, percent: bytes, moving: [[7, bytes]] }));
  await vi.advanceTimersByTimeAsync(3000);
  expect(connected().sent).toEqual([]);
  connected().receive({ type: "watchers", count: 1 });
  await vi.advanceTimersByTimeAsync(2000);
  const said = { type: "transfer_progress", bytes: 0, percent: 0, moving: [[7, 0]] };
  expect(connected().sent).toEqual([said]);
  bytes = 40;
  await vi.advanceTimersByTimeAsync(500);
  expect(connected().sent).toEqual([said, { type: "transfer_progress", bytes: 40, percent: 40, moving: [[7, 40]] }]);
  connected().receive({ type: "watchers", count: 0 });
  bytes = 50;
  await vi.advanceTimersByTimeAsync(2000);
  expect(connected().sent).toHaveLength(2);
});

it("it hears what is stored, and the end", async () => {
  const { connected, stored, ends } = openSocket();
  await vi.advanceTimersByTimeAsync(1000);
  connected().receive({ type: "transfer_state", entries: 3, bytes: 3, stored: [[0, 1]], percent: 10 });
  connected().receive({ type: "entries_stored", runs: [[1, 2]] });
  connected().receive({ type: "upload_ended", status: "cancelled" });
  expect([stored, ends]).toEqual([[[[0, 1]], [[1, 2]]], ["cancelled"]]);
});

function startProgress(sizes: readonly number[]) {
  const objects: SendingObject[] = [];
  const entries = new TransferEntries((object) => objects[object]?.sentBytes ?? 0);
  for (const [index, sizeBytes] of sizes.entries()) entries.add({ path: `${index}`, sizeBytes });
  const reports: Progress[] = [];
  let lists = 0;
  const progress = new TransferProgress({
    entries,
    record: new TransferRecorder(entries, 0),
    moving: () => objects,
    onProgress: (report) => reports.push(report),
    onEntries: () => (lists += 1),
  });
  return { objects, entries, reports, progress, lists: () => lists };
}

it("progress counts what is stored, sent and on its way, and is 99 % until the transfer is ready", async () => {
  const { objects, entries, reports, progress } = startProgress([100, 100, 200]);
  entries.setPhase(0, "stored");
  const object = new SendingObject(0, [2], 200);
  objects.push(object);
  object.setSent(1, 50);
  progress.update();
  expect(reports.at(-1)).toMatchObject({ loadedBytes: 150, totalBytes: 400, percent: 37 });
  entries.setPhase(1, "sent");
  object.setSent(1, 200);
  progress.update();
  await vi.advanceTimersByTimeAsync(500);
  expect(reports.at(-1)).toMatchObject({ loadedBytes: 400, percent: 99 });
});

it("files that are added or removed change the total", async () => {
  const { entries, reports, progress } = startProgress([100, 100]);
  entries.setPhase(0, "stored");
  progress.update();
  entries.add({ path: "more", sizeBytes: 300 });
  progress.update();
  await vi.advanceTimersByTimeAsync(500);
  expect(reports.at(-1)).toMatchObject({ loadedBytes: 100, totalBytes: 500, percent: 20 });
  entries.setPhase(1, "removed");
  progress.update();
  await vi.advanceTimersByTimeAsync(500);
  expect(reports.at(-1)).toMatchObject({ loadedBytes: 100, totalBytes: 400, percent: 25 });
});

it("the list is shown at most five times a second, and its last change is not lost", async () => {
  const { progress, lists } = startProgress([100]);
  for (let change = 0; change < 100; change += 1) {
    progress.update();
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(lists()).toBeLessThanOrEqual(6);
  const before = lists();
  progress.update();
  await vi.advanceTimersByTimeAsync(1000);
  expect(lists()).toBeGreaterThan(before);
});

it("what is told of files on their way fits into a message", () => {
  const { objects, entries, progress } = startProgress(Array.from({ length: 20 }, () => 100));
  for (let n = 0; n < 20; n += 1) {
    const object = new SendingObject(n, [n], 100);
    object.setSent(1, n);
    objects.push(object);
    entries.assign(n, n, 0);
    entries.setPhase(n, "sending");
  }
  const message = { type: "transfer_progress", ...progress.describe() };
  expect(transferProgress.safeParse(message).success).toBe(true);
  expect(message.moving).toHaveLength(12);
  expect(message.moving[3]).toEqual([3, 3]);
});

it("opens none where nobody may watch", () => {
  const nothing = () => undefined;
  const describeProgress = (): Told => ({ type: "transfer_progress", bytes: 0, percent: 0, moving: [] });
  const options = { messages: transferMessage, describeProgress, onEnded: nothing };
  const socket = new SenderSocket("link", { live: null, ...options });
  vi.advanceTimersByTime(60_000);
  expect(FakeWebSocket.opened).toEqual([]);
  socket.close();
});
