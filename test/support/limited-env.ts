import { env } from "cloudflare:workers";
import { MINUTE_MS } from "#domain/units.ts";

/**
 * Stands in for a Rate Limiting binding. Its emulation counts by the minutes of the machine's clock, which no test can
 * stop, so a test to the last call would fail at a minute's end. This one counts by `Date`, from a key's first call.
 */
class MinuteCounter implements RateLimit {
  readonly #maxCalls: number;
  readonly #windows = new Map<string, { endsAt: number; calls: number }>();

  constructor(maxCalls: number) {
    this.#maxCalls = maxCalls;
  }

  limit(options: RateLimitOptions): Promise<RateLimitOutcome> {
    const { key, ...others } = options;
    // The platform takes a text and nothing else.
    if (typeof key !== "string" || key === "" || Object.keys(others).length > 0) {
      throw new TypeError(`not what a Rate Limiting binding takes: ${JSON.stringify(options)}`);
    }
    const now = Date.now();
    const known = this.#windows.get(key);
    const window = known && known.endsAt > now ? known : { endsAt: now + MINUTE_MS, calls: 0 };
    this.#windows.set(key, window);
    if (window.calls >= this.#maxCalls) return Promise.resolve({ success: false });
    window.calls += 1;
    return Promise.resolve({ success: true });
  }
}

/** An environment in which limits hold. Their windows of a minute follow `stopClockAt`. */
export function limitedEnv(environment: Env = env): Env {
  return {
    ...environment,
    RATE_LIMITS: "on",
    PER_MINUTE_60: new MinuteCounter(60),
    PER_MINUTE_120: new MinuteCounter(120),
    PER_MINUTE_300: new MinuteCounter(300),
    PER_MINUTE_900: new MinuteCounter(900),
  };
}
