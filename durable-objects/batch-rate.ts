import { decideRateLimit, type RateLimitRule } from "#domain/rate-limits.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { TransferRejection } from "./transfer-results.ts";

const RULE: RateLimitRule = { by: "account", maxCalls: 20, windowMs: SECOND_MS };

/** Counts the batches of one transfer in memory: what an eviction forgets is older than a second. */
export class BatchRate {
  #calls: number[] = [];

  /** @param now epoch milliseconds @returns whether the limit allows one more */
  take(now: number): boolean {
    const { calls, waitMs } = decideRateLimit(RULE, this.#calls, now);
    this.#calls = calls;
    return waitMs === 0;
  }
}

export const TOO_MANY_BATCHES: TransferRejection = {
  ok: false,
  code: "RATE_LIMITED",
  localizedMessage: { group: "errors", name: "tooOftenSeconds", values: { count: 1 } },
  retryAfterSeconds: 1,
};
