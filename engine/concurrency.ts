import { SECOND_MS } from "#domain/units.ts";

/** How many parts of a transfer are sent at first; they are read into memory. */
const INITIAL_PARALLEL_PARTS = 4;
/** How many parts of a single file are sent at first: browsers open as many connections to one host over HTTP/1.1. */
export const CONNECTIONS_TO_A_HOST = 6;
const MIN_PARALLEL_PARTS = 1;
const MAX_PARALLEL_PARTS = 8;
/** Another parallel part must raise the throughput by this factor. */
const MIN_GAIN = 1.08;
/** Throughput is measured over at least this long, so that one slow part does not decide. */
const WINDOW_MS = 2 * SECOND_MS;
/** One failure is a connection that broke. Two within this time are a line, or a server, that carries too much. */
const FAILURES_WITHIN_MS = 10 * SECOND_MS;

/**
 * The number of parts to send in parallel: climbs by one while throughput rises, never falls below the first
 * number for lack of it, and halves when failures come together.
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

  /** @param initial how many at first */
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
    // Back to where it began, after failures. Fewer parts than that gain nothing: a full line is as fast with any number.
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
 * Spreads the beginnings of the first parts, so that their ends are spread, too. Parts of one size that begin together
 * share the line, end together, and then wait together for their answers while the line carries nothing.
 */
export class StaggeredBegin {
  readonly #stepBytes: number;
  readonly #limit: number;
  readonly #fromBytes: number;
  #begun = 0;

  /** @param limit parts at the same time @param fromBytes what was sent before */
  constructor(partSizeBytes: number, limit: number, fromBytes: number) {
    this.#stepBytes = partSizeBytes / limit;
    this.#limit = limit;
    this.#fromBytes = fromBytes;
  }

  /** Whether every place has had a part: the others begin when a place is free. */
  get isOver(): boolean {
    return this.#begun >= this.#limit;
  }

  /** @param sentBytes in all @returns whether the next part may begin */
  allows(sentBytes: number): boolean {
    return this.isOver || sentBytes - this.#fromBytes >= this.#begun * this.#stepBytes;
  }

  count(): void {
    this.#begun += 1;
  }
}
