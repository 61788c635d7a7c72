import { MAX_PARTS_PER_SIGNING, MAX_RECEIPTS_PER_CALL } from "#domain/parts.ts";
import type { Calls } from "./calls.ts";
import type { ReceiptQueue } from "./sender-socket.ts";

/** Presigned part URLs, signed in batches just before they are needed. */
export class PartUrls {
  readonly #calls: Pick<Calls, "signParts">;
  readonly #downloadId: string;
  readonly #partsToSend: ReadonlySet<number>;
  readonly #receipts: ReceiptQueue;
  readonly #signal: AbortSignal;
  readonly #urls = new Map<number, string>();
  #signing: Promise<void> | null = null;

  /** @param partsToSend URLs are signed ahead for these */
  constructor(
    calls: Pick<Calls, "signParts">,
    downloadId: string,
    partsToSend: ReadonlySet<number>,
    receipts: ReceiptQueue,
    signal: AbortSignal,
  ) {
    this.#calls = calls;
    this.#downloadId = downloadId;
    this.#partsToSend = partsToSend;
    this.#receipts = receipts;
    this.#signal = signal;
  }

  add(part: number, url: string): void {
    this.#urls.set(part, url);
  }

  /** Concurrent calls share one API call, which also signs the parts that follow. */
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

  delete(part: number): void {
    this.#urls.delete(part);
  }

  clear(): void {
    this.#urls.clear();
  }

  /** Sends receipts until the rest fit into one more API call. */
  async deliverReceipts(): Promise<void> {
    while (this.#receipts.size > MAX_RECEIPTS_PER_CALL) await this.#sign([]);
  }

  #batchFrom(part: number): number[] {
    const following = [...this.#partsToSend].filter((other) => other > part && !this.#urls.has(other));
    return [part, ...following.sort((a, b) => a - b).slice(0, MAX_PARTS_PER_SIGNING - 1)];
  }

  async #sign(parts: number[]): Promise<void> {
    const receipts = this.#receipts.unacknowledged(MAX_RECEIPTS_PER_CALL);
    const answer = await this.#calls.signParts({ downloadId: this.#downloadId, parts, receipts }, this.#signal);
    this.#receipts.acknowledge(answer.received);
    for (const { part, url } of answer.urls) this.#urls.set(part, url);
  }
}
