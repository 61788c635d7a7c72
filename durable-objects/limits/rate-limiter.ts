import { DurableObject } from "cloudflare:workers";
import { decideRateLimit, giveBackCalls, type RateLimitRule } from "#domain/rate-limits.ts";

const CALLS = "calls";

/** Counts one subject's calls against one rule. Deletes itself after a window without an allowed call. */
export class RateLimiter extends DurableObject<Env> {
  /** @returns milliseconds until the next allowed call; 0 if the call is allowed and counted `count` times */
  take(rule: RateLimitRule, count = 1): number {
    const now = Date.now();
    const { calls, waitMs } = decideRateLimit(rule, this.ctx.storage.kv.get<number[]>(CALLS) ?? [], now, count);
    if (waitMs === 0) {
      this.ctx.storage.kv.put(CALLS, calls);
      void this.ctx.storage.setAlarm(now + rule.windowMs);
    }
    return waitMs;
  }

  /**
   * Takes back the last `count` counted calls, because that many calls were harmless. These calls may also be those of
   * another client that shares the counter.
   */
  giveBack(count = 1): void {
    const calls = this.ctx.storage.kv.get<number[]>(CALLS);
    if (calls) this.ctx.storage.kv.put(CALLS, giveBackCalls(calls, count));
  }

  /** Reads the counter for the health check, which must store nothing in the object. */
  countedCalls(): number {
    return this.ctx.storage.kv.get<number[]>(CALLS)?.length ?? 0;
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }
}
