import { DurableObject } from "cloudflare:workers";
import { decideRateLimit, type RateLimitRule } from "#domain/rate-limits.ts";

const CALLS = "calls";

/** Counts the calls of one subject against one rule. Lives near its caller; deletes itself once nothing counts any more. */
export class RateLimiter extends DurableObject<Env> {
  /** @returns milliseconds to wait; 0 when the call may go ahead, which is then counted */
  take(rule: RateLimitRule): number {
    const now = Date.now();
    const { calls, waitMs } = decideRateLimit(rule, this.ctx.storage.kv.get<number[]>(CALLS) ?? [], now);
    if (waitMs === 0) {
      this.ctx.storage.kv.put(CALLS, calls);
      void this.ctx.storage.setAlarm(now + rule.windowMs);
    }
    return waitMs;
  }

  /** How many calls are remembered. Reads alone: it leaves nothing behind. */
  countedCalls(): number {
    return this.ctx.storage.kv.get<number[]>(CALLS)?.length ?? 0;
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }
}
