import { RECEIPTS_PER_MESSAGE, type Receipt } from "#domain/wire.ts";

/** Batches receipts into at most four socket messages a second. */
export const RECEIPT_INTERVAL_MS = 250;

/** Receipts of stored parts that the server has not acknowledged yet. */
export class ReceiptQueue {
  readonly #pending = new Map<number, Receipt>();
  readonly #unsent = new Set<number>();

  add(receipt: Receipt): void {
    this.#pending.set(receipt.part, receipt);
    this.#unsent.add(receipt.part);
  }

  acknowledge(parts: Iterable<number>): void {
    for (const part of parts) {
      this.#pending.delete(part);
      this.#unsent.delete(part);
    }
  }

  /** Call after a reconnect: sent messages may have been lost. */
  resendAll(): void {
    for (const part of this.#pending.keys()) this.#unsent.add(part);
  }

  /** Receipts for the next socket message; they stay pending until acknowledged. */
  takeUnsent(): Receipt[] {
    const batch: Receipt[] = [];
    for (const part of this.#unsent) {
      const receipt = this.#pending.get(part);
      if (receipt) batch.push(receipt);
      this.#unsent.delete(part);
      if (batch.length === RECEIPTS_PER_MESSAGE) break;
    }
    return batch;
  }

  unacknowledged(maxCount: number): Receipt[] {
    return [...this.#pending.values()].slice(0, maxCount);
  }

  get size(): number {
    return this.#pending.size;
  }
}
