import { api } from "#app/lib/api.ts";
import { MAX_PARTS_PER_SIGNING } from "#domain/parts.ts";
import type { ReceiptQueue } from "./receipt-queue.ts";

/** A call carries at most this many receipts (domain/wire.ts). */
const RECEIPTS_PER_CALL = 2 * MAX_PARTS_PER_SIGNING;

/** Presigned part URLs, signed in batches just before they are needed. */
export class PartUrls {
  readonly #downloadId: string;
  readonly #wanted: ReadonlySet<number>;
  readonly #receipts: ReceiptQueue;
  readonly #signal: AbortSignal;
  readonly #urls = new Map<number, string>();
  #signing: Promise<void> | null = null;

  /** @param wanted the parts that still have to be sent: only for those are URLs signed ahead */
  constructor(downloadId: string, wanted: ReadonlySet<number>, receipts: ReceiptQueue, signal: AbortSignal) {
    this.#downloadId = downloadId;
    this.#wanted = wanted;
    this.#receipts = receipts;
    this.#signal = signal;
  }

  add(part: number, url: string): void {
    this.#urls.set(part, url);
  }

  /** The URL of a part. Parts that ask together wait for one call, which signs the parts that follow too. */
  async get(part: number): Promise<string> {
    for (;;) {
      const url = this.#urls.get(part);
      if (url !== undefined) return url;
      this.#signing ??= this.#sign(this.#batchFrom(part)).finally(() => {
        this.#signing = null;
      });
      await this.#signing;
    }
  }

  /** Forgets a URL that was refused: the next one is signed anew. */
  drop(part: number): void {
    this.#urls.delete(part);
  }

  /** Forgets every URL: the rules they were tried under have changed. */
  dropAll(): void {
    this.#urls.clear();
  }

  /** Brings the receipts down to what one more call can carry. */
  async deliverReceipts(): Promise<void> {
    while (this.#receipts.size > RECEIPTS_PER_CALL) await this.#sign([]);
  }

  #batchFrom(part: number): number[] {
    const following = [...this.#wanted].filter((other) => other > part && !this.#urls.has(other));
    return [part, ...following.sort((a, b) => a - b).slice(0, MAX_PARTS_PER_SIGNING - 1)];
  }

  async #sign(parts: number[]): Promise<void> {
    const receipts = this.#receipts.unacknowledged(RECEIPTS_PER_CALL);
    const answer = await api.signParts({ downloadId: this.#downloadId, parts, receipts }, this.#signal);
    this.#receipts.acknowledge(answer.received);
    for (const { part, url } of answer.urls) this.#urls.set(part, url);
  }
}
