import { KIB, MINUTE_MS, SECOND_MS } from "#domain/units.ts";

/**
 * The server keeps this much of an unfinished file back, and gives a little of it at a time while the sender is silent,
 * so that no line is idle. So many bytes do not show that the sender goes on.
 */
const KEPT_BACK_BYTES = 64 * KIB;

/** A download that has caught up with the sender waits for the first time after this long. */
const FIRST_NOTE_MS = 3 * SECOND_MS;
/** Later waits are told of if they last. A sender in large pieces would else be told of at each one. */
const NOTE_MS = MINUTE_MS;

/** How long the sender of an unfinished upload has been silent. `now` is in milliseconds of any clock. */
export class Silence {
  #since: number;
  #bytes = 0;
  #percent = 0;
  #noteAfterMs = FIRST_NOTE_MS;
  #isNoted = false;

  constructor(now: number) {
    this.#since = now;
  }

  /** @param bytes saved so far, of all files. Fewer than before: a file began anew. */
  hearBytes(bytes: number, now: number): void {
    if (bytes >= this.#bytes && bytes - this.#bytes <= KEPT_BACK_BYTES) return;
    this.#bytes = bytes;
    this.#end(now);
  }

  /** @param percent that the server has of the upload */
  hearPercent(percent: number, now: number): void {
    if (percent <= this.#percent) return;
    this.#percent = percent;
    this.#end(now);
  }

  /** @returns milliseconds */
  lasts(now: number): number {
    return now - this.#since;
  }

  /** @returns whether to tell of the wait now; true once for each silence */
  isNoteDue(now: number): boolean {
    if (this.#isNoted || this.lasts(now) < this.#noteAfterMs) return false;
    this.#isNoted = true;
    this.#noteAfterMs = NOTE_MS;
    return true;
  }

  #end(now: number): void {
    this.#since = now;
    this.#isNoted = false;
  }
}
