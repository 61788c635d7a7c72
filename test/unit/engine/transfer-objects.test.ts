import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { browserPorts } from "#app/features/upload/browser/browser-ports.ts";
import { messageFor } from "#app/features/upload/upload-error-messages.ts";
import { wasmHashers } from "#app/lib/hashing/wasm-hashers.ts";
import { planParts } from "#domain/parts.ts";
import { toNumbers } from "#domain/transfers/runs.ts";
import { KIB, MIB } from "#domain/units.ts";
import type { TransferBatch, TransferBatchAnswer } from "#domain/wire.ts";
import { ByteReader } from "#engine/reading-thread.ts";
import { BatchQueue } from "#engine/transfer/batch-queue.ts";
import { EntrySources } from "#engine/transfer/entry-sources.ts";
import { ObjectSender } from "#engine/transfer/object-sender.ts";
import { TransferEntries } from "#engine/transfer/transfer-entries.ts";
import { TransferRecorder } from "#engine/upload-recorder.ts";
import { translatorFor } from "#messages/compiled.ts";

/** A PUT that a test lets go. */
class HeldRequest {
  static sent: HeldRequest[] = [];
  readonly upload: { onprogress?: (event: { loaded: number }) => void } = {};
  url = "";
  bytes = 0;
  status = 0;
  responseText = "";
  onload?: () => void;

  open(_method: string, url: string): void {
    this.url = url;
  }
  setRequestHeader(): void {
    this.status = 0;
  }
  getResponseHeader(): string {
    return `etag of ${this.url}`;
  }
  abort(): void {
    this.status = 0;
  }
  send(body: Blob): void {
    this.bytes = body.size;
    HeldRequest.sent.push(this);
  }

  succeed(): void {
    this.status = 200;
    this.onload?.();
  }
}

const NO_CHANGES = { opened: [], urls: [], stored: [], received: [], again: [] };

/** An engine without a server: `exchange` is a batch and its answer. */
function startSender(files: readonly File[], startsNow = true) {
  const entries = new TransferEntries((object) => sender.sentBytesOf(object));
  const sources = new EntrySources();
  const queue = new BatchQueue((n) => sources.announcement(n));
  const reader = new ByteReader(wasmHashers);
  const errors: unknown[] = [];
  const sender: ObjectSender = new ObjectSender({
    ports: browserPorts,
    entries,
    sources,
    queue,
    record: new TransferRecorder(entries, 0),
    read: (request) => reader.answer(request),
    downloadId: () => "link",
    signal: new AbortController().signal,
    onChange: () => undefined,
    onTransport: () => undefined,
    onError: (error) => errors.push(error),
  });
  for (const file of files) {
    const entry = { path: file.name, file, sizeBytes: file.size, modifiedMs: 0 };
    sources.set(entries.add(entry), entry);
  }
  queue.announceUpTo(entries.length);
  if (startsNow) sender.pump();
  const exchange = (answer: Partial<TransferBatchAnswer> = {}): TransferBatch => {
    const batch = queue.take();
    const opened = batch.open.map(({ object, runs }) => {
      const sizeBytes = toNumbers(runs).reduce((sum, n) => sum + entries.sizeBytes(n), 0);
      return { object, ...planParts(sizeBytes) };
    });
    const urls = opened.flatMap(({ object, partCount }) =>
      Array.from({ length: partCount }, (_, index) => ({ object, part: index + 1, url: `${object}/${index + 1}` })),
    );
    sender.applyAnswer(batch, { entries: entries.length, ...NO_CHANGES, opened, urls, ...answer });
    return batch;
  };
  const phases = () => files.map((_, n) => entries.phase(n));
  return { entries, sender, queue, errors, exchange, phases };
}

const file = (name: string, sizeBytes: number) => new File([new Uint8Array(sizeBytes)], name);

function unreadable(name: string): File {
  const broken = file(name, 10);
  broken.arrayBuffer = () => Promise.reject(new DOMException("", "NotFoundError"));
  return broken;
}

const sentUrls = () => HeldRequest.sent.map(({ url }) => url);
const untilSent = (count: number) =>
  vi.waitFor(() => {
    expect(HeldRequest.sent).toHaveLength(count);
  });

beforeEach(() => {
  HeldRequest.sent = [];
  vi.stubGlobal("XMLHttpRequest", HeldRequest);
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("addEventListener", () => undefined);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("objects", () => {
  it("are opened, sent and acknowledged; their files are stored when the server says so", async () => {
    const { exchange, phases, entries } = startSender([file("a", 10), file("b", 20), file("large", 17 * MIB)]);
    expect(exchange().open).toEqual([
      { object: 0, runs: [[0, 2]] },
      { object: 1, runs: [[2, 1]] },
    ]);
    await untilSent(4);
    expect(sentUrls().sort()).toEqual(["0/1", "1/1", "1/2", "1/3"]);
    HeldRequest.sent[0]?.upload.onprogress?.({ loaded: 20 });
    expect([entries.percent(0), entries.percent(1), entries.percent(2)]).toEqual([100, 50, 0]);
    for (const request of HeldRequest.sent) request.succeed();
    await vi.waitFor(() => {
      expect(phases()).toEqual(["sent", "sent", "sent"]);
    });
    const { receipts, sums } = exchange({ stored: [[0, 2]] });
    expect(receipts.map(({ object, part, etag }) => [object, part, etag]).sort()).toEqual([
      [0, 1, "etag of 0/1"],
      [1, 1, "etag of 1/1"],
      [1, 2, "etag of 1/2"],
      [1, 3, "etag of 1/3"],
    ]);
    expect(sums.map(({ n }) => n)).toEqual([2]);
    expect(phases()).toEqual(["stored", "stored", "sent"]);
  });

  it("leave out a file that cannot be read: the others of its pack go in another [TRF-47]", async () => {
    // The read of the whole pack.
    const blob = vi.spyOn(Blob.prototype, "arrayBuffer").mockRejectedValueOnce(new DOMException("", "NotFoundError"));
    const { exchange, phases } = startSender([file("a", 10), unreadable("b"), file("c", 10)]);
    exchange();
    await vi.waitFor(() => {
      expect(phases()).toEqual(["sending", "unreadable", "sending"]);
    });
    blob.mockRestore();
    const second = exchange();
    expect([second.drop, second.open]).toEqual([
      [0],
      [
        {
          object: 1,
          runs: [
            [0, 1],
            [2, 1],
          ],
        },
      ],
    ]);
    await untilSent(1);
    expect(HeldRequest.sent.map(({ url, bytes }) => [url, bytes])).toEqual([["1/1", 20]]);
  });

  it("whose bytes arrived otherwise are sent again in another object", async () => {
    const { exchange, phases } = startSender([file("a", 10)]);
    exchange();
    await untilSent(1);
    HeldRequest.sent[0]?.succeed();
    await vi.waitFor(() => {
      expect(phases()).toEqual(["sent"]);
    });
    exchange({ again: [0] });
    expect(exchange().open).toEqual([{ object: 1, runs: [[0, 1]] }]);
    await untilSent(2);
    expect(sentUrls()).toEqual(["0/1", "1/1"]);
  });

  it("whose bytes never arrive are given up after four times, by the names of their files [TRF-47]", async () => {
    const { exchange, phases, entries, errors } = startSender([file("a", 10)]);
    exchange();
    for (let object = 0; object < 4; object += 1) {
      await untilSent(object + 1);
      HeldRequest.sent[object]?.succeed();
      await vi.waitFor(() => {
        expect(phases()).toEqual(["sent"]);
      });
      exchange({ again: [object] });
      exchange();
    }
    expect([phases(), sentUrls(), errors]).toEqual([["unreadable"], ["0/1", "1/1", "2/1", "3/1"], []]);
    const reason = entries.reason(0);
    expect(messageFor(reason, translatorFor("en", "uploads"), "")).toBe(
      "It was sent 4 times and never arrived as it is here. Try again, or leave it out.",
    );
  });

  it("whose parts storage loses again and again are given up after four times, and dropped", async () => {
    const { exchange, phases, errors } = startSender([file("a", 10)]);
    exchange();
    const lost = { received: [{ object: 0, runs: [[0, 1]], parts: [] }] } satisfies Partial<TransferBatchAnswer>;
    for (let times = 0; times < 4; times += 1) {
      await untilSent(times + 1);
      HeldRequest.sent[times]?.succeed();
      await vi.waitFor(() => {
        expect(phases()).toEqual(["sent"]);
      });
      exchange(lost);
    }
    expect([phases(), exchange().drop, errors]).toEqual([["unreadable"], [0], []]);
  });

  it("whose parts storage has lost are sent again, once their receipts had arrived", async () => {
    const { exchange, phases, queue, sender } = startSender([file("a", 10)]);
    exchange();
    await untilSent(1);
    const before = queue.take();
    HeldRequest.sent[0]?.succeed();
    await vi.waitFor(() => {
      expect(phases()).toEqual(["sent"]);
    });
    const lost = { received: [{ object: 0, runs: [[0, 1]], parts: [] }] } satisfies Partial<TransferBatchAnswer>;
    // The server had not heard of the part.
    sender.applyAnswer(before, { entries: 1, ...NO_CHANGES, ...lost });
    expect(phases()).toEqual(["sent"]);
    exchange(lost);
    await untilSent(2);
    expect(sentUrls()).toEqual(["0/1", "0/1"]);
  });

  it("that nobody has begun to read are built anew without a removed file", async () => {
    const { exchange, sender, entries, phases } = startSender(
      Array.from({ length: 12 }, (_, n) => file(`${n}`, n < 8 ? 9 * MIB : 3 * MIB)),
    );
    exchange();
    await untilSent(4);
    entries.setPhase(11, "removed");
    sender.cease(11);
    await vi.waitFor(() => {
      expect(phases().slice(8)).toEqual(["planned", "planned", "planned", "removed"]);
    });
    const { drop, open } = exchange();
    expect([drop, open]).toEqual([[9], [{ object: 10, runs: [[10, 1]] }]]);
  });

  it("of another device go on: what has arrived or was stored meanwhile is not sent again", async () => {
    const { entries, sender, exchange, phases } = startSender(
      [file("a", 10), file("b", 17 * MIB), file("c", 17 * MIB)],
      false,
    );
    sender.open(4, [0], [[1, 1]]);
    sender.open(5, [1], [[1, 1]]);
    sender.open(6, [2], [[1, 2]]);
    expect(phases()).toEqual(["sent", "planned", "planned"]);
    const received = [
      { object: 4, runs: [[0, 1]] as const, parts: [[1, 1]] as const },
      { object: 6, runs: [[2, 1]] as const, parts: [[1, 2]] as const },
    ];
    expect(exchange({ stored: [[1, 1]], received }).open.map(({ object }) => object)).toEqual([4, 5, 6]);
    await untilSent(1);
    expect(sentUrls()).toEqual(["6/3"]);
    HeldRequest.sent[0]?.succeed();
    await vi.waitFor(() => {
      expect(phases()).toEqual(["sent", "stored", "sent"]);
    });
    expect([HeldRequest.sent.length, entries.listWaiting()]).toEqual([1, []]);
  });

  it("are smaller on a slow line, also those that were opened already [TRF-49]", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const { exchange } = startSender(Array.from({ length: 40 }, (_, n) => file(`${n}`, 2 * MIB)));
    expect(exchange().open).toHaveLength(10);
    await untilSent(4);
    vi.advanceTimersByTime(20_000);
    // Four are on their way and two are read. At 10 KiB a second 256 KiB take 26 seconds.
    HeldRequest.sent[0]?.upload.onprogress?.({ loaded: 256 * KIB });
    await Promise.resolve();
    const { drop, open } = exchange();
    expect(drop).toEqual([6, 7, 8, 9]);
    expect(open.slice(0, 2)).toEqual([
      { object: 10, runs: [[24, 1]] },
      { object: 11, runs: [[25, 1]] },
    ]);
  });
});
