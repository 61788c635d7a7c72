import { DAY_MS, SECOND_MS } from "#domain/units.ts";

/** The shortest time between two reports (decision 024). */
export const PROGRESS_REPORT_INTERVAL_MS = 200;
/** After this long without progress, the (falling) speed is reported again. */
const STILL_REPORT_INTERVAL_MS = SECOND_MS;
/** Speed is averaged over this many reports (decision 024). */
const SPEED_SAMPLES = 5;
/** Longer estimates come from a stalled line and are not shown. */
const LONGEST_ESTIMATE_MS = 2 * DAY_MS;

export interface Progress {
  loadedBytes: number;
  /** Infinity if the total is unknown. */
  totalBytes: number;
  /** An integer that never decreases. 0 if the total is unknown. */
  percent: number;
  /** Bytes a second; 0 before the second sample. */
  speed: number;
  /** Null without a speed, and beyond two days. */
  timeLeftMs: number | null;
}

export interface PartsProgress {
  total: number;
  completed: number;
  /** Integer percentage of the part that progressed last. */
  currentPercent: number;
}

export class ProgressMeter {
  #totalBytes: number;
  readonly #samples: { at: number; bytes: number }[] = [];
  #loadedBytes = 0;

  constructor(totalBytes: number) {
    this.#totalBytes = totalBytes;
  }

  /**
   * @param loadedBytes may decrease when a part is sent again; the reported progress does not @param now milliseconds
   * of any monotonic clock @returns null if the last report is too recent
   */
  update(loadedBytes: number, now: number): Progress | null {
    this.#loadedBytes = Math.min(this.#totalBytes, Math.max(this.#loadedBytes, loadedBytes));
    const last = this.#samples.at(-1);
    if (last && now - last.at < PROGRESS_REPORT_INTERVAL_MS) return null;
    // While nothing moves, the last sample stays, so the speed falls slowly instead of becoming unknown.
    if (last && this.#samples.length > 1 && last.bytes === this.#loadedBytes) this.#samples.pop();
    this.#samples.push({ at: now, bytes: this.#loadedBytes });
    if (this.#samples.length > SPEED_SAMPLES) this.#samples.shift();
    return this.#report();
  }

  /** Call it after files were added or left out. The percentage may fall, and the speed is measured anew. */
  reset(totalBytes: number, loadedBytes: number): void {
    this.#totalBytes = totalBytes;
    this.#loadedBytes = loadedBytes;
    this.#samples.length = 0;
  }

  #report(): Progress {
    const speed = this.#speed();
    const timeLeftMs = ((this.#totalBytes - this.#loadedBytes) / speed) * SECOND_MS;
    return {
      loadedBytes: this.#loadedBytes,
      totalBytes: this.#totalBytes,
      percent: this.#totalBytes === 0 ? 0 : Math.floor((100 * this.#loadedBytes) / this.#totalBytes),
      speed,
      timeLeftMs: speed > 0 && timeLeftMs <= LONGEST_ESTIMATE_MS ? timeLeftMs : null,
    };
  }

  #speed(): number {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (!first || !last || last.at === first.at) return 0;
    return ((last.bytes - first.bytes) / (last.at - first.at)) * SECOND_MS;
  }
}

/**
 * Reports the progress of an upload. Delays a value that comes too soon after the last report. While nothing moves,
 * reports once a second, so that speed and time left stay true.
 */
export class ProgressReporter {
  readonly #meter: ProgressMeter;
  #totalBytes: number;
  readonly #onProgress: (progress: Progress) => void;
  #loadedBytes = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isDue = false;
  #isStopped = false;

  constructor(totalBytes: number, onProgress: (progress: Progress) => void) {
    this.#totalBytes = totalBytes;
    this.#meter = new ProgressMeter(totalBytes);
    this.#onProgress = onProgress;
  }

  update(loadedBytes: number): void {
    if (this.#isStopped) return;
    this.#loadedBytes = loadedBytes;
    const progress = this.#meter.update(loadedBytes, performance.now());
    if (progress === null) {
      if (!this.#isDue) this.#schedule(PROGRESS_REPORT_INTERVAL_MS);
      this.#isDue = true;
      return;
    }
    this.#isDue = false;
    clearTimeout(this.#timer);
    if (loadedBytes < this.#totalBytes) this.#schedule(STILL_REPORT_INTERVAL_MS);
    this.#onProgress(progress);
  }

  /** Resets the `ProgressMeter` and reports at once. */
  reset(totalBytes: number, loadedBytes: number): void {
    this.#totalBytes = totalBytes;
    this.#meter.reset(totalBytes, loadedBytes);
    this.update(loadedBytes);
  }

  /** Call it when the upload has ended, to stop all reports. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #schedule(afterMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isDue = false;
      this.update(this.#loadedBytes);
    }, afterMs);
  }
}
