import { SECOND_MS } from "#domain/units.ts";

/** The wait before each probe; the last one repeats. New CORS rules take a while to reach every browser (decision 016). */
const PROBE_WAITS_MS = [2 * SECOND_MS, 10 * SECOND_MS, 30 * SECOND_MS, 60 * SECOND_MS] as const;

/** Decides when to probe the direct transport while parts go through the server. Runs one probe at a time. */
export class DirectProbes {
  readonly #now: () => number;
  #dueAt: number | null = null;
  #failures = 0;

  /** @param now a monotonic clock, milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Call when parts begin to go through the server. */
  schedule(): void {
    const last = PROBE_WAITS_MS.length - 1;
    this.#dueAt = this.#now() + (PROBE_WAITS_MS[Math.min(this.#failures, last)] ?? 0);
  }

  /** @returns whether a probe is due; the caller then sends it, and calls `fail` if it fails */
  tryStart(): boolean {
    if (this.#dueAt === null || this.#now() < this.#dueAt) return false;
    this.#dueAt = null;
    return true;
  }

  fail(): void {
    this.#failures += 1;
    this.schedule();
  }
}
