import { SECOND_MS } from "#domain/units.ts";
import type { TransferBatch, TransferBatchAnswer } from "#domain/wire.ts";
import type { Ports } from "../ports.ts";
import { pause } from "../timing.ts";
import { retryCall } from "../upload-step.ts";
import type { BatchQueue } from "./batch-queue.ts";

/** The shortest time between two batches. The server takes 20 batches a second. */
const MIN_INTERVAL_MS = SECOND_MS / 16;
/** How long a batch that has only completed parts waits for more completed parts. */
const RECEIPTS_WAIT_MS = SECOND_MS / 4;

interface Options {
  ports: Pick<Ports, "online" | "warn">;
  queue: BatchQueue;
  /** Sends a batch to the server. */
  post(batch: TransferBatch): Promise<TransferBatchAnswer>;
  onAnswer(batch: TransferBatch, answer: TransferBatchAnswer): void;
  onError(error: unknown): void;
  signal: AbortSignal;
}

/** Sends the queue's batches, one at a time. Repeats a batch that got no answer, without a change. */
export class BatchSender {
  readonly #options: Options;
  #line: Promise<unknown> = Promise.resolve();
  /** The number of queued steps, including the running one. */
  #waiting = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastStartMs = -Infinity;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Call it when something was queued. */
  poke(): void {
    const { queue, signal } = this.#options;
    if (this.#waiting > 0 || signal.aborted) return;
    if (queue.isUrgent) this.#flush();
    else if (!queue.isEmpty) {
      this.#timer ??= setTimeout(() => this.#flush(), RECEIPTS_WAIT_MS);
    }
  }

  /** @throws ApiError, TypeError, DOMException AbortError */
  sendWhile(isDue: () => boolean): Promise<void> {
    return this.#inLine(async () => {
      while (isDue()) await this.#send(this.#options.queue.take());
    });
  }

  /** Sends a batch even if nothing is queued, to get the server's state. @throws as `sendWhile` */
  poll(): Promise<TransferBatchAnswer> {
    return this.#inLine(() => this.#send(this.#options.queue.take()));
  }

  /**
   * Sends a batch that does not come from the queue. After a refusal, the queue's batches go on. @throws as `sendWhile`
   */
  send(batch: TransferBatch): Promise<TransferBatchAnswer> {
    return this.#inLine(() => this.#send(batch));
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #flush(): void {
    const { queue, onError } = this.#options;
    this.sendWhile(() => !queue.isEmpty).catch(onError);
  }

  #inLine<Result>(step: () => Promise<Result>): Promise<Result> {
    this.#waiting += 1;
    const done = this.#line.then(() => {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      return step();
    });
    this.#line = done
      .catch(() => undefined)
      .then(() => {
        this.#waiting -= 1;
        this.poke();
      });
    return done;
  }

  async #send(batch: TransferBatch): Promise<TransferBatchAnswer> {
    const { ports, post, onAnswer, signal } = this.#options;
    const waitMs = this.#lastStartMs + MIN_INTERVAL_MS - performance.now();
    if (waitMs > 0) await pause(waitMs, signal);
    this.#lastStartMs = performance.now();
    const answer = await retryCall(ports, "batch", () => post(batch), signal);
    signal.throwIfAborted();
    onAnswer(batch, answer);
    return answer;
  }
}
