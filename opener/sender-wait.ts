import { MINUTE_MS, SECOND_MS } from "#domain/units.ts";
import { EXIT, Problem } from "./problem.ts";

/** A sender counts as silent, and the person is told so, when nothing has been saved for this long. */
const SILENT_MS = 20 * SECOND_MS;

/** The wait for a sender who is still uploading. It tells of each silence once, and ends when one lasts too long. */
export class SenderWait {
  readonly #waitMs: number;
  readonly #note: (text: string) => void;
  readonly #abort = new AbortController();
  #timer: ReturnType<typeof setInterval> | undefined;
  #heardAt = performance.now();
  #bytes = 0;
  #percent = 0;
  #isTold = false;

  /** @param waitMs the longest silence @param note gets a line for the person */
  constructor(waitMs: number, note: (text: string) => void) {
    this.#waitMs = waitMs;
    this.#note = note;
  }

  /** Begins to listen. Before that, no silence is too long. */
  start(): void {
    this.#heardAt = performance.now();
    this.#timer = setInterval(() => this.#listen(), SECOND_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Aborted with a Problem `notNow` when the sender has been silent for too long. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** @param bytes saved so far @param size of the whole file */
  hear(bytes: number, size: number): void {
    if (bytes === this.#bytes) return;
    this.#bytes = bytes;
    this.#percent = size === 0 ? 100 : Math.floor((100 * bytes) / size);
    this.#heardAt = performance.now();
    this.#isTold = false;
  }

  /** @throws Problem `notNow` when the sender has been silent for too long */
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

  #listen(): void {
    const silentMs = performance.now() - this.#heardAt;
    if (silentMs >= SILENT_MS && !this.#isTold) {
      this.#isTold = true;
      this.#note(`waiting for the sender (${this.#percent} %)`);
    }
    if (silentMs >= this.#waitMs) this.#abort.abort(tooSilent(this.#waitMs / MINUTE_MS));
  }
}

function tooSilent(minutes: number): Problem {
  const time = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return new Problem(EXIT.notNow, `The sender has sent nothing for ${time}. Run the same command again to go on.`);
}
