import { SECOND_MS } from "#domain/units.ts";

/** How many parts of a transfer are sent in parallel at first. The engine reads each such part into memory. */
const INITIAL_PARALLEL_PARTS = 4;
/**
 * How many parts of a single file are sent in parallel at first: browsers open six connections to one host over
 * HTTP/1.1.
 */
export const CONNECTIONS_TO_A_HOST = 6;
const MIN_PARALLEL_PARTS = 1;
const MAX_PARALLEL_PARTS = 8;
/** Another parallel part must raise the throughput by this factor. */
const MIN_GAIN = 1.08;
/** The shortest time over which throughput is measured, so that one slow part does not decide. */
const WINDOW_MS = 2 * SECOND_MS;
/**
 * A single failure is a broken connection. Two failures within this time mean that the line or the server is
 * overloaded.
 */
const FAILURES_WITHIN_MS = 10 * SECOND_MS;

/**
 * The number of parts to send in parallel. The number grows by one while throughput rises, falls below the initial
 * number only after failures, and halves when failures come together.
 */
export class Concurrency {
  readonly #initial: number;
  #limit: number;
  #windowStart: number | null = null;
  #bytesInWindow = 0;
  #partsInWindow = 0;
  #lastThroughput = 0;
  #step: 1 | -1 = 1;
  #failedAt = -Infinity;

  /** @param initial the number of parts at first */
  constructor(initial = INITIAL_PARALLEL_PARTS) {
    this.#initial = initial;
    this.#limit = initial;
  }

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

  /** @param now as for `recordSuccess` */
  recordFailure(now: number): void {
    const isAlone = now - this.#failedAt > FAILURES_WITHIN_MS;
    this.#failedAt = now;
    if (isAlone) return;
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
    // After failures, the limit climbs back to the initial number even if throughput falls: on a full line, fewer
    // parallel parts would gain nothing.
    if (this.#limit < this.#initial) {
      this.#limit += 1;
      this.#lastThroughput = throughput;
      return;
    }
    const expected = this.#lastThroughput * (this.#step === 1 ? MIN_GAIN : 1);
    if (throughput < expected) this.#step = this.#step === 1 ? -1 : 1;
    this.#lastThroughput = throughput;
    this.#limit = Math.min(MAX_PARALLEL_PARTS, Math.max(this.#initial, this.#limit + this.#step));
  }
}

/**
 * Starts the first parts at different times, so that they end at equal distances. Parts of one size that start together
 * share the line, end together, and then all wait for answers while the line is idle. Each part starts when the part
 * before it has sent a share of its own bytes, which is 1 / the number of parallel parts: on a line that all parts share
 * fairly, k parts have sent k such shares together in this time.
 */
export class StaggeredBegin {
  readonly #stepBytes: number;
  readonly #limit: number;
  readonly #fromBytes: number;
  #begun = 0;

  /** @param limit the number of parallel parts @param fromBytes the bytes that were sent before the first part */
  constructor(partSizeBytes: number, limit: number, fromBytes: number) {
    this.#stepBytes = partSizeBytes / limit;
    this.#limit = limit;
    this.#fromBytes = fromBytes;
  }

  /** Whether all first parts have started. Each later part starts when another part ends. */
  get isOver(): boolean {
    return this.#begun >= this.#limit;
  }

  /** @param sentBytes all bytes sent so far @returns whether the next part may start */
  allows(sentBytes: number): boolean {
    const steps = (this.#begun * (this.#begun + 1)) / 2;
    return this.isOver || sentBytes - this.#fromBytes >= steps * this.#stepBytes;
  }

  count(): void {
    this.#begun += 1;
  }
}
