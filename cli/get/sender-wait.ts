import { MINUTE_MS, SECOND_MS } from "#domain/units.ts";
import { pause } from "#engine/timing.ts";
import { EXIT, Failure } from "../failure.ts";
import type { Terminal } from "../terminal.ts";
import { Silence } from "./silence.ts";

/** The wait for a sender who is still uploading: says so, and gives up when the sender has been silent for too long. */
export class SenderWait {
  readonly #silence = new Silence(performance.now());
  readonly #abort = new AbortController();
  readonly #waitMs: number;
  readonly #terminal: Terminal;
  #timer: ReturnType<typeof setInterval> | undefined;
  #percent = 0;

  /** @param waitMs the longest silence */
  constructor(waitMs: number, terminal: Terminal) {
    this.#waitMs = waitMs;
    this.#terminal = terminal;
  }

  /** Begins to listen for the sender. Without it, nothing is said and the wait has no end. */
  start(): void {
    this.#timer = setInterval(() => {
      const now = performance.now();
      if (this.#silence.isNoteDue(now)) this.#terminal.note(`waiting for the sender (${this.#percent} %)`);
      if (this.#silence.lasts(now) >= this.#waitMs) this.#abort.abort(tooSilent(this.#waitMs));
    }, SECOND_MS);
  }

  /** Aborts with a Failure `limit` when the sender has been silent for too long. */
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

  /** @throws Failure `limit` when the sender has been silent for too long */
  async pause(durationMs: number): Promise<void> {
    await pause(durationMs, this.signal).catch(() => undefined);
    this.signal.throwIfAborted();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

function tooSilent(waitMs: number): Failure {
  const minutes = waitMs / MINUTE_MS;
  const time = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return new Failure(EXIT.limit, `The sender has sent nothing for ${time}. The same command goes on.`);
}
