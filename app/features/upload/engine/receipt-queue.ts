import { RECEIPTS_PER_MESSAGE, type Receipt } from "#domain/wire.ts";

/** Receipts wait this long for company before they go over the socket: at most five messages a second. */
export const RECEIPT_INTERVAL_MS = 250;

/** The receipts the server has not acknowledged yet, and the socket's batching of them. */
export class ReceiptQueue {
  readonly #open = new Map<number, Receipt>();
  readonly #unsent = new Set<number>();

  add(receipt: Receipt): void {
    this.#open.set(receipt.part, receipt);
    this.#unsent.add(receipt.part);
  }

  acknowledge(parts: Iterable<number>): void {
    for (const part of parts) {
      this.#open.delete(part);
      this.#unsent.delete(part);
    }
  }

  /** After a lost connection nobody knows what arrived: everything unacknowledged goes again. */
  resendAll(): void {
    for (const part of this.#open.keys()) this.#unsent.add(part);
  }

  /** The next socket message's receipts; they stay open until acknowledged. */
  takeUnsent(): Receipt[] {
    const taken: Receipt[] = [];
    for (const part of this.#unsent) {
      const receipt = this.#open.get(part);
      if (receipt) taken.push(receipt);
      this.#unsent.delete(part);
      if (taken.length === RECEIPTS_PER_MESSAGE) break;
    }
    return taken;
  }

  /** Unacknowledged receipts, for a call to carry. */
  unacknowledged(most: number): Receipt[] {
    return [...this.#open.values()].slice(0, most);
  }

  get size(): number {
    return this.#open.size;
  }
}
