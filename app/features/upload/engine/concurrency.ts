import { SECOND_MS } from "#domain/units.ts";

/** Parts in flight: to begin with, at least, at most. No more of the file than these is ever held. */
export const FIRST_CONCURRENCY = 4;
const LEAST = 1;
const MOST = 8;
/** One more part in flight has to bring at least this much, or it is taken back. */
const WORTHWHILE = 1.08;
/** Throughput is compared over stretches of at least this long, so that one slow part does not decide. */
const STRETCH_MS = 2 * SECOND_MS;

/**
 * How many parts to have in flight, as throughput says: it climbs by one while that pays, steps back when it does not,
 * and halves when parts fail. It reads no clock: every call says what time it is.
 */
export class Concurrency {
  #limit = FIRST_CONCURRENCY;
  #stretchStart: number | null = null;
  #bytes = 0;
  #partsInStretch = 0;
  #lastThroughput = 0;
  #direction: 1 | -1 = 1;

  get limit(): number {
    return this.#limit;
  }

  /** A part has arrived. @param now milliseconds of any monotonic clock */
  noteSuccess(sizeBytes: number, now: number): void {
    this.#stretchStart ??= now;
    this.#bytes += sizeBytes;
    this.#partsInStretch += 1;
    const elapsedMs = now - this.#stretchStart;
    if (elapsedMs < STRETCH_MS || this.#partsInStretch < this.#limit) return;
    this.#steer(this.#bytes / elapsedMs);
    this.#stretchStart = now;
    this.#bytes = 0;
    this.#partsInStretch = 0;
  }

  /** A part has failed: the line, or storage, has too much to do. */
  recordFailure(): void {
    this.#limit = Math.max(LEAST, Math.floor(this.#limit / 2));
    this.#stretchStart = null;
    this.#bytes = 0;
    this.#partsInStretch = 0;
    this.#lastThroughput = 0;
    this.#direction = 1;
  }

  #steer(throughput: number): void {
    if (this.#lastThroughput > 0 && throughput < this.#lastThroughput * (this.#direction === 1 ? WORTHWHILE : 1)) {
      this.#direction = this.#direction === 1 ? -1 : 1;
    }
    this.#lastThroughput = throughput;
    this.#limit = Math.min(MOST, Math.max(LEAST, this.#limit + this.#direction));
  }
}
