import { describe, expect, it } from "vitest";
import { RECEIPT_INTERVAL_MS, ReceiptQueue } from "#app/features/upload/engine/receipt-queue.ts";
import { RECEIPTS_PER_MESSAGE, SOCKET_MESSAGE_MAX_BYTES } from "#domain/wire.ts";

const receiptOf = (part: number, etag = `etag-${part}`) => ({ part, etag });

function bookOf(count: number): ReceiptQueue {
  const book = new ReceiptQueue();
  for (let part = 1; part <= count; part += 1) book.add(receiptOf(part));
  return book;
}

const parts = (receipts: { part: number }[]) => receipts.map(({ part }) => part);

describe("receipts for the server", () => {
  it("go over the socket once, in batches that fit a message", () => {
    const book = bookOf(RECEIPTS_PER_MESSAGE + 3);
    expect(parts(book.takeUnsent())).toEqual(Array.from({ length: RECEIPTS_PER_MESSAGE }, (_, index) => index + 1));
    expect(book.takeUnsent()).toHaveLength(3);
    expect(book.takeUnsent()).toEqual([]);
  });

  it("fit a message with the longest ETags there are", () => {
    const receipts = Array.from({ length: RECEIPTS_PER_MESSAGE }, () => receiptOf(10_000, `W/"${"x".repeat(256)}"`));
    const text = JSON.stringify({ type: "receipts", receipts });
    expect(text.length).toBeLessThanOrEqual(SOCKET_MESSAGE_MAX_BYTES);
  });

  it("leave at most five times a second", () => {
    expect(1000 / RECEIPT_INTERVAL_MS).toBeLessThanOrEqual(5);
  });

  it("stay until they are acknowledged", () => {
    const book = bookOf(3);
    book.takeUnsent();
    expect(parts(book.unacknowledged(Infinity))).toEqual([1, 2, 3]);
    book.acknowledge([2]);
    expect(parts(book.unacknowledged(Infinity))).toEqual([1, 3]);
    expect(book.size).toBe(2);
  });

  it("go again after a lost connection, but for the acknowledged ones", () => {
    const book = bookOf(3);
    book.takeUnsent();
    book.acknowledge([1]);
    book.resendAll();
    expect(parts(book.takeUnsent())).toEqual([2, 3]);
  });

  it("that a call has delivered do not go over the socket too", () => {
    const book = bookOf(3);
    book.acknowledge(parts(book.unacknowledged(2)));
    expect(parts(book.takeUnsent())).toEqual([3]);
  });

  it("ride on a call up to what it carries", () => {
    expect(parts(bookOf(5).unacknowledged(2))).toEqual([1, 2]);
  });

  it("of a part that was sent again replace the older one, which is told anew", () => {
    const book = bookOf(1);
    book.takeUnsent();
    book.add(receiptOf(1, "newer"));
    expect(book.takeUnsent()).toEqual([receiptOf(1, "newer")]);
    expect(book.unacknowledged(Infinity)).toEqual([receiptOf(1, "newer")]);
  });

  it("of parts nobody knows are no harm to acknowledge", () => {
    const book = bookOf(1);
    book.acknowledge([7, 1, 1]);
    expect([book.size, book.takeUnsent()]).toEqual([0, []]);
  });
});
