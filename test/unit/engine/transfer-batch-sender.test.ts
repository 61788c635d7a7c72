import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { browserPorts } from "#app/features/upload/browser/browser-ports.ts";
import { BatchQueue } from "#engine/transfer/batch-queue.ts";
import { BatchSender } from "#engine/transfer/batch-sender.ts";
import type { TransferBatch, TransferBatchAnswer } from "#domain/wire.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("navigator", { onLine: true });
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const ANSWER: TransferBatchAnswer = { entries: 0, opened: [], urls: [], stored: [], received: [], again: [] };
const RECEIPT = { object: 0, part: 1, etag: "e", crc32: "00000000" };

/** Sends batches to `post`, with a queue of so many entries. */
function startSender(entries: number, post: (batch: TransferBatch) => Promise<TransferBatchAnswer>) {
  const queue = new BatchQueue((n) => [`${n}`, 1, 0]);
  queue.announceUpTo(entries);
  const sent: { batch: TransferBatch; at: number }[] = [];
  const errors: unknown[] = [];
  const answered: TransferBatch[] = [];
  const abort = new AbortController();
  const sender = new BatchSender({
    ports: browserPorts,
    queue,
    post: (batch) => {
      sent.push({ batch: structuredClone(batch), at: Date.now() });
      return post(batch);
    },
    onAnswer: (batch) => answered.push(batch),
    onError: (error) => {
      errors.push(error);
      abort.abort();
    },
    signal: abort.signal,
  });
  return { queue, sender, sent, errors, answered };
}

it("a batch without an answer is repeated as it is, also when more is queued meanwhile [TRF-48]", async () => {
  let calls = 0;
  const { queue, sender, sent, answered } = startSender(3, () => {
    calls += 1;
    return calls === 1 ? Promise.reject(new TypeError("no answer")) : Promise.resolve(ANSWER);
  });
  sender.poke();
  await vi.advanceTimersByTimeAsync(0);
  queue.addReceipt(RECEIPT);
  await vi.runAllTimersAsync();
  expect(sent.map(({ batch }) => [batch.entries?.list.length, batch.receipts.length])).toEqual([
    [3, 0],
    [3, 0],
    [undefined, 1],
  ]);
  expect(sent[1]?.batch).toEqual(sent[0]?.batch);
  expect(answered).toHaveLength(2);
});

it("batches follow each other, fewer than 20 a second", async () => {
  const { sender, sent } = startSender(10_000, () => Promise.resolve(ANSWER));
  sender.poke();
  await vi.runAllTimersAsync();
  expect(sent).toHaveLength(20);
  const spread = (sent.at(-1)?.at ?? 0) - (sent[0]?.at ?? 0);
  expect(spread).toBeGreaterThan(1000);
});

it("receipts alone wait for others", async () => {
  const { queue, sender, sent } = startSender(0, () => Promise.resolve(ANSWER));
  for (const part of [1, 2]) {
    queue.addReceipt({ ...RECEIPT, part });
    sender.poke();
    await vi.advanceTimersByTimeAsync(50);
  }
  expect(sent).toEqual([]);
  await vi.runAllTimersAsync();
  expect(sent.map(({ batch }) => batch.receipts.length)).toEqual([2]);
});

it("a refusal of what is not of the queue fails its caller alone", async () => {
  const refusal = new Error("refused");
  const { queue, sender, sent, errors } = startSender(1, (batch) =>
    batch.totals ? Promise.reject(refusal) : Promise.resolve(ANSWER),
  );
  const refused = expect(sender.send({ ...queue.take(), totals: { entries: 9, bytes: 9 } })).rejects.toBe(refusal);
  await vi.runAllTimersAsync();
  await refused;
  queue.announceUpTo(2);
  sender.poke();
  await vi.runAllTimersAsync();
  expect([sent.length, errors]).toEqual([2, []]);
});

it("a refused batch of the queue is reported once, and nothing follows", async () => {
  const refusal = new Error("refused");
  const { sender, sent, errors } = startSender(1000, () => Promise.reject(refusal));
  sender.poke();
  await vi.runAllTimersAsync();
  sender.poke();
  await vi.runAllTimersAsync();
  expect([sent.length, errors]).toEqual([1, [refusal]]);
});
