import { SECOND_MS } from "#domain/units.ts";

/**
 * The wait before each probe, in milliseconds; the last one repeats. A bucket's new CORS rules take a while to reach every
 * browser (decisions, Public diagnostics).
 */
export const PROBE_WAITS_MS = [2 * SECOND_MS, 10 * SECOND_MS, 30 * SECOND_MS, 60 * SECOND_MS] as const;

/**
 * Says when a part should try the direct road while the others go through the server. One probe runs at a time. After
 * each failed probe the next wait is longer, and it stays so when the direct road works for a while and breaks again.
 */
export class DirectProbes {
  readonly #now: () => number;
  /** Null while no probe may start. */
  #dueAt: number | null = null;
  #failures = 0;

  /** @param now a monotonic clock, milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Parts go through the server from now on. */
  start(): void {
    const last = PROBE_WAITS_MS.length - 1;
    this.#dueAt = this.#now() + (PROBE_WAITS_MS[Math.min(this.#failures, last)] ?? 0);
  }

  /** Takes the probe if it is due. Whoever gets true calls `fail`, or nothing when the probe has worked. */
  take(): boolean {
    if (this.#dueAt === null || this.#now() < this.#dueAt) return false;
    this.#dueAt = null;
    return true;
  }

  /** The probe has failed: the next one is due after a longer wait. */
  fail(): void {
    this.#failures += 1;
    this.start();
  }
}
