/** @throws DOMException AbortError when aborted */
export function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, durationMs);
    const abort = () => {
      clearTimeout(timer);
      reject(new DOMException("Upload aborted", "AbortError"));
    };
    signal.addEventListener("abort", abort, { once: true });
  });
}

/** Calls a function at once, then at most once in each interval; the last call is never lost. */
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

/** @returns a function that calls `run` in a microtask, once for all calls that come before the microtask */
export function onceSoon(run: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      run();
    });
  };
}
