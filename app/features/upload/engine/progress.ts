import { SECOND_MS } from "#domain/units.ts";

/** Progress is reported at least this far apart (specification 1 section 9). */
export const PROGRESS_INTERVAL_MS = 200;
/** Speed is the average over so many samples (specification 1 section 9). */
const SPEED_SAMPLES = 5;

export interface Progress {
  loadedBytes: number;
  totalBytes: number;
  /** Whole percent; never runs backwards. */
  percent: number;
  /** Bytes a second; 0 until there are two samples. */
  speed: number;
  /** Null until there is a speed. */
  timeLeftMs: number | null;
}

/** How far a file that goes up in parts has come (specification 2 section 3, the direct flow's progress record). */
export interface PartsProgress {
  total: number;
  /** Parts that storage has. */
  completed: number;
  /** Whole percent of the part that moved last. */
  currentPercent: number;
}

/** Turns raw byte counts into what a person is shown. It reads no clock: every call says what time it is. */
export class ProgressMeter {
  readonly #totalBytes: number;
  readonly #samples: { at: number; bytes: number }[] = [];
  #loadedBytes = 0;

  constructor(totalBytes: number) {
    this.#totalBytes = totalBytes;
  }

  /**
   * Takes a byte count.
   * @param loadedBytes bytes that have left so far; a part that is sent again may lower it, which is not shown
   * @param now milliseconds of any monotonic clock
   * @returns what to show, or null when the last report is too recent
   */
  update(loadedBytes: number, now: number): Progress | null {
    this.#loadedBytes = Math.min(this.#totalBytes, Math.max(this.#loadedBytes, loadedBytes));
    const last = this.#samples.at(-1);
    if (last && now - last.at < PROGRESS_INTERVAL_MS) return null;
    this.#samples.push({ at: now, bytes: this.#loadedBytes });
    if (this.#samples.length > SPEED_SAMPLES) this.#samples.shift();
    return this.#report();
  }

  #report(): Progress {
    const speed = this.#speed();
    const leftBytes = this.#totalBytes - this.#loadedBytes;
    return {
      loadedBytes: this.#loadedBytes,
      totalBytes: this.#totalBytes,
      percent: this.#totalBytes === 0 ? 0 : Math.floor((100 * this.#loadedBytes) / this.#totalBytes),
      speed,
      timeLeftMs: speed > 0 ? (leftBytes / speed) * SECOND_MS : null,
    };
  }

  #speed(): number {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (!first || !last || last.at === first.at) return 0;
    return ((last.bytes - first.bytes) / (last.at - first.at)) * SECOND_MS;
  }
}
