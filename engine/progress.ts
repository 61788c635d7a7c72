import { DAY_MS, SECOND_MS } from "#domain/units.ts";

/** The shortest time between two reports (decision 024). */
export const PROGRESS_REPORT_INTERVAL_MS = 200;
/** Speed is averaged over this many reports (decision 024). */
const SPEED_SAMPLES = 5;
/** A longer estimate comes from a line that stalls, and says nothing about the file. */
const LONGEST_ESTIMATE_MS = 2 * DAY_MS;

export interface Progress {
  loadedBytes: number;
  /** Infinity where nobody knows it. */
  totalBytes: number;
  /** Integer; never decreases. 0 without a total. */
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
   * @param loadedBytes may decrease when a part is sent again; the report does not
   * @param now milliseconds of any monotonic clock
   * @returns null if the last report is too recent
   */
  update(loadedBytes: number, now: number): Progress | null {
    this.#loadedBytes = Math.min(this.#totalBytes, Math.max(this.#loadedBytes, loadedBytes));
    const last = this.#samples.at(-1);
    if (last && now - last.at < PROGRESS_REPORT_INTERVAL_MS) return null;
    this.#samples.push({ at: now, bytes: this.#loadedBytes });
    if (this.#samples.length > SPEED_SAMPLES) this.#samples.shift();
    return this.#report();
  }

  /** Files were added or left out. The percentage may fall, and the speed is measured anew. */
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

/** Reports the progress of an upload. A value that comes too soon after a report is reported when its time has come. */
export class ProgressReporter {
  readonly #meter: ProgressMeter;
  readonly #onProgress: (progress: Progress) => void;
  #loadedBytes = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(totalBytes: number, onProgress: (progress: Progress) => void) {
    this.#meter = new ProgressMeter(totalBytes);
    this.#onProgress = onProgress;
  }

  update(loadedBytes: number): void {
    this.#loadedBytes = loadedBytes;
    const progress = this.#meter.update(loadedBytes, performance.now());
    if (progress === null) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.update(this.#loadedBytes);
      }, PROGRESS_REPORT_INTERVAL_MS);
      return;
    }
    this.stop();
    this.#onProgress(progress);
  }

  /** As `ProgressMeter.reset`; reports at once. */
  reset(totalBytes: number, loadedBytes: number): void {
    this.#meter.reset(totalBytes, loadedBytes);
    this.update(loadedBytes);
  }

  /** Call when the upload has ended: nothing is reported later. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
