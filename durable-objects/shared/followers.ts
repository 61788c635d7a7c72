import { MINUTE_MS, SECOND_MS } from "#domain/units.ts";

/** How long a call of `follow` waits: short, because the object may be reset at any time. */
export const FOLLOW_WAIT_MS = 15 * SECOND_MS;

/** Responses that follow one upload at the same time. */
const MAX_FOLLOWERS = 200;

/** A response that has not asked for this long has gone without saying so. */
const FORGOTTEN_AFTER_MS = 10 * MINUTE_MS;

/** The responses that follow an upload, in memory: after an eviction each one is counted again as soon as it asks. */
export class Followers {
  /** When each response asked last, in epoch milliseconds. */
  readonly #askedAt = new Map<string, number>();
  readonly #waiting = new Set<() => void>();

  /** @param response names a response @returns whether it may follow: 200 may at the same time */
  admit(response: string, now: number): boolean {
    if (!this.#askedAt.has(response)) {
      for (const [other, askedAt] of this.#askedAt)
        if (now - askedAt >= FORGOTTEN_AFTER_MS) this.#askedAt.delete(other);
      if (this.#askedAt.size >= MAX_FOLLOWERS) return false;
    }
    this.#askedAt.set(response, now);
    return true;
  }

  leave(response: string): void {
    this.#askedAt.delete(response);
  }

  /** @returns settles when `wake` is called, or after `maxMs` */
  async wait(maxMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, maxMs);
      this.#waiting.add(end);
    });
  }

  wake(): void {
    for (const end of this.#waiting) end();
  }
}
