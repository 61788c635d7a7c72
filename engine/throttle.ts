/** Calls a function at once, then at most once in so many milliseconds; the last call is never lost. */
export class Throttle {
  readonly #run: () => void;
  readonly #intervalMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isDue = false;

  constructor(intervalMs: number, run: () => void) {
    this.#intervalMs = intervalMs;
    this.#run = run;
  }

  call(): void {
    if (this.#timer !== undefined) {
      this.#isDue = true;
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#isDue) this.call();
    }, this.#intervalMs);
    this.#isDue = false;
    this.#run();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
