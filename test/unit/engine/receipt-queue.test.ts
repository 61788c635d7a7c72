import { describe, expect, it } from "vitest";
import { COMPLETED_PARTS_PER_MESSAGE, SOCKET_MESSAGE_MAX_BYTES } from "#domain/wire.ts";
import { RECEIPT_INTERVAL_MS, CompletedPartQueue } from "#engine/sender-socket.ts";

const receiptOf = (part: number, etag = `etag-${part}`) => ({ part, etag });

function queueOf(count: number): CompletedPartQueue {
  const queue = new CompletedPartQueue();
  for (let part = 1; part <= count; part += 1) queue.add(receiptOf(part));
  return queue;
}

const parts = (receipts: { part: number }[]) => receipts.map(({ part }) => part);

describe("receipts", () => {
  it("are sent over the socket once, in batches that fit a message", () => {
    const queue = queueOf(COMPLETED_PARTS_PER_MESSAGE + 3);
    expect(parts(queue.takeUnsent())).toEqual(
      Array.from({ length: COMPLETED_PARTS_PER_MESSAGE }, (_, index) => index + 1),
    );
    expect(queue.takeUnsent()).toHaveLength(3);
    expect(queue.takeUnsent()).toEqual([]);
  });

  it("fit a message with the longest ETags there are", () => {
    const receipts = Array.from({ length: COMPLETED_PARTS_PER_MESSAGE }, () =>
      receiptOf(10_000, `W/"${"x".repeat(256)}"`),
    );
    const text = JSON.stringify({ type: "receipts", receipts });
    expect(text.length).toBeLessThanOrEqual(SOCKET_MESSAGE_MAX_BYTES);
  });

  it("are sent at most five times a second", () => {
    expect(1000 / RECEIPT_INTERVAL_MS).toBeLessThanOrEqual(5);
  });

  it("stay in the queue until they are acknowledged", () => {
    const queue = queueOf(3);
    queue.takeUnsent();
    expect(parts(queue.unacknowledged(Infinity))).toEqual([1, 2, 3]);
    queue.acknowledge([2]);
    expect(parts(queue.unacknowledged(Infinity))).toEqual([1, 3]);
    expect(queue.size).toBe(2);
  });

  it("are sent again after a lost connection, except the acknowledged ones", () => {
    const queue = queueOf(3);
    queue.takeUnsent();
    queue.acknowledge([1]);
    queue.resendAll();
    expect(parts(queue.takeUnsent())).toEqual([2, 3]);
  });

  it("that an API call has delivered are not sent over the socket", () => {
    const queue = queueOf(3);
    queue.acknowledge(parts(queue.unacknowledged(2)));
    expect(parts(queue.takeUnsent())).toEqual([3]);
  });

  it("are limited to the number that an API call accepts", () => {
    expect(parts(queueOf(5).unacknowledged(2))).toEqual([1, 2]);
  });

  it("of a part that was sent again replace the older ones and are sent again", () => {
    const queue = queueOf(1);
    queue.takeUnsent();
    queue.add(receiptOf(1, "newer"));
    expect(queue.takeUnsent()).toEqual([receiptOf(1, "newer")]);
    expect(queue.unacknowledged(Infinity)).toEqual([receiptOf(1, "newer")]);
  });

  it("may be acknowledged for unknown parts", () => {
    const queue = queueOf(1);
    queue.acknowledge([7, 1, 1]);
    expect([queue.size, queue.takeUnsent()]).toEqual([0, []]);
  });
});
