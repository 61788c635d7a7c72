import { MINUTE_MS, SECOND_MS } from "#domain/units.ts";
import { Silence } from "./silence.ts";

interface Told {
  /** Gets a line for the person. */
  note(text: string): void;
  /** @param time as in "30 minutes" @returns the error for a sender who has been silent for so long */
  tooSilent(time: string): Error;
}

/** The wait for a sender who is still uploading: says so, and gives up when the sender has been silent for too long. */
export class SenderWait {
  readonly #silence = new Silence(performance.now());
  readonly #abort = new AbortController();
  readonly #waitMs: number;
  readonly #told: Told;
  #timer: ReturnType<typeof setInterval> | undefined;
  #percent = 0;

  /** @param waitMs the longest silence */
  constructor(waitMs: number, told: Told) {
    this.#waitMs = waitMs;
    this.#told = told;
  }

  /** Begins to listen for the sender. Before that, nothing is said and the wait has no end. */
  start(): void {
    this.#timer = setInterval(() => {
      const now = performance.now();
      if (this.#silence.isNoteDue(now)) this.#told.note(`waiting for the sender (${this.#percent} %)`);
      if (this.#silence.lasts(now) >= this.#waitMs) this.#abort.abort(this.#told.tooSilent(timeOf(this.#waitMs)));
    }, SECOND_MS);
  }

  /** Aborts with the error of `tooSilent` when the sender has been silent for too long. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** @param savedBytes of all files @param totalBytes of all files */
  hearBytes(savedBytes: number, totalBytes: number): void {
    if (totalBytes > 0) this.#percent = Math.floor((100 * savedBytes) / totalBytes);
    this.#silence.hearBytes(savedBytes, performance.now());
  }

  /** @param percent that the server has of the upload */
  hearPercent(percent: number): void {
    this.#silence.hearPercent(percent, performance.now());
  }

  /** @throws the error of `tooSilent` when the sender has been silent for too long */
  async pause(durationMs: number): Promise<void> {
    this.signal.throwIfAborted();
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, durationMs);
      this.signal.addEventListener("abort", end);
    });
    this.signal.throwIfAborted();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

function timeOf(waitMs: number): string {
  const minutes = waitMs / MINUTE_MS;
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}
