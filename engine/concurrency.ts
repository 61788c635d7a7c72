import { SECOND_MS } from "#domain/units.ts";

const INITIAL_PARALLEL_PARTS = 4;
const MIN_PARALLEL_PARTS = 1;
const MAX_PARALLEL_PARTS = 8;
/** Another parallel part must raise the throughput by this factor. */
const MIN_GAIN = 1.08;
/** Throughput is measured over at least this long, so that one slow part does not decide. */
const WINDOW_MS = 2 * SECOND_MS;

/** The number of parts to send in parallel: climbs by one while throughput rises, and halves after a failure. */
export class Concurrency {
  #limit = INITIAL_PARALLEL_PARTS;
  #windowStart: number | null = null;
  #bytesInWindow = 0;
  #partsInWindow = 0;
  #lastThroughput = 0;
  #step: 1 | -1 = 1;

  get limit(): number {
    return this.#limit;
  }

  /** @param now milliseconds of any monotonic clock */
  recordSuccess(sizeBytes: number, now: number): void {
    this.#windowStart ??= now;
    this.#bytesInWindow += sizeBytes;
    this.#partsInWindow += 1;
    const elapsedMs = now - this.#windowStart;
    if (elapsedMs < WINDOW_MS || this.#partsInWindow < this.#limit) return;
    this.#adjust(this.#bytesInWindow / elapsedMs);
    this.#startWindow(now);
  }

  recordFailure(): void {
    this.#limit = Math.max(MIN_PARALLEL_PARTS, Math.floor(this.#limit / 2));
    this.#startWindow(null);
    this.#lastThroughput = 0;
    this.#step = 1;
  }

  #startWindow(now: number | null): void {
    this.#windowStart = now;
    this.#bytesInWindow = 0;
    this.#partsInWindow = 0;
  }

  #adjust(throughput: number): void {
    const expected = this.#lastThroughput * (this.#step === 1 ? MIN_GAIN : 1);
    if (throughput < expected) this.#step = this.#step === 1 ? -1 : 1;
    this.#lastThroughput = throughput;
    this.#limit = Math.min(MAX_PARALLEL_PARTS, Math.max(MIN_PARALLEL_PARTS, this.#limit + this.#step));
  }
}
