import { MAX_PARTS_PER_SIGNING, MAX_COMPLETED_PARTS_PER_CALL } from "#domain/parts.ts";
import type { StartUploadAnswer } from "#domain/wire.ts";
import type { Calls } from "./calls.ts";
import type { CompletedPartQueue } from "./sender-socket.ts";

interface Options {
  calls: Pick<Calls, "signParts">;
  downloadId: string;
  /** URLs are signed ahead for these. */
  partsToSend: ReadonlySet<number>;
  receipts: CompletedPartQueue;
  signal: AbortSignal;
}

/** Presigned part URLs, signed in batches just before they are needed. */
export class PartUrls {
  readonly #options: Options;
  readonly #urls: Map<number, string>;
  #signing: Promise<void> | null = null;

  /** @param signed URLs that the start brought */
  constructor(options: Options, signed: StartUploadAnswer["urls"]) {
    this.#options = options;
    this.#urls = new Map(signed.map(({ part, url }) => [part, url]));
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

  /** Reports completed parts until the rest fit into one more API call. */
  async deliverReceipts(): Promise<void> {
    while (this.#options.receipts.size > MAX_COMPLETED_PARTS_PER_CALL) await this.#sign([]);
  }

  #batchFrom(part: number): number[] {
    const following = [...this.#options.partsToSend].filter((other) => other > part && !this.#urls.has(other));
    return [part, ...following.sort((a, b) => a - b).slice(0, MAX_PARTS_PER_SIGNING - 1)];
  }

  async #sign(parts: number[]): Promise<void> {
    const { calls, downloadId, receipts: queue, signal } = this.#options;
    const receipts = queue.unacknowledged(MAX_COMPLETED_PARTS_PER_CALL);
    const answer = await calls.signParts({ downloadId, parts, receipts }, signal);
    queue.acknowledge(answer.received);
    for (const { part, url } of answer.urls) this.#urls.set(part, url);
  }
}
